import type { AddCommand } from "../../console/command.js";
import { applyCommand } from "./apply-command.js";
import { buildCommand } from "./build-command.js";
import { filterCommand } from "./filter-command.js";
import { importCommand } from "./import/import-command.js";
import { kappaCommand } from "./kappa-command.js";
import { reviewCommand } from "./review-command.js";
import { sampleCommand } from "./sample-command.js";
import { shortcutsCommand } from "./shortcuts-command.js";
import { statsCommand } from "./stats-command.js";
import { validateCommand } from "./validate-command.js";

/** In the order in which a benchmark is made. */
const COMMANDS: readonly AddCommand[] = [
  importCommand,
  filterCommand,
  sampleCommand,
  statsCommand,
  reviewCommand,
  kappaCommand,
  applyCommand,
  buildCommand,
  validateCommand,
  shortcutsCommand,
];

/** `probe dataset …`. */
export const datasetCommand: AddCommand = (parser, console, done) =>
  parser.command("dataset", "make, check and describe data", (group) =>
    COMMANDS.reduce(
      (commands, add) => add(commands, console, done),
      group
        .usage("$0 dataset <command>\n\nWorks on files of code-review examples.")
        .demandCommand(1, "Expected a command after `probe dataset`, found none."),
    ),
  );
