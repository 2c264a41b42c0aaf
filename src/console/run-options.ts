import { CI_OPTIONS } from "./ci-options.js";
import { GATE_OPTIONS } from "./gate-options.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "./model-options.js";
import { type OptionTable, type OptionValues, switchOption, textOption } from "./option.js";

/** What says where a run goes, and what is shown of it: nothing of it is kept in `run.json`. */
export const OUTPUT_OPTIONS = {
  out: textOption("the run's own folder (default: a new one under results/)"),
  resume: textOption("go on with the run in this folder; its own parameters are kept"),
  dryRun: switchOption("show counts, tokens, cost, time and one prompt a task; ask no server, record nothing"),
  estimate: switchOption("with --dry-run: ask a server a few questions too, to tell the time; they may cost"),
  json: switchOption("print one JSON document, no table"),
  quiet: switchOption("no messages, no progress", { alias: "q" }),
  ...GATE_OPTIONS,
  ...CI_OPTIONS,
};

/** What every run takes, whatever its suite. */
export const COMMON_OPTIONS = { model: MODEL_OPTION, ...MODEL_OPTIONS, ...OUTPUT_OPTIONS };

export type CommonValues = OptionValues<typeof COMMON_OPTIONS>;

/** All options of a run of a suite: the model first, then the suite's own, then how the model is reached, and outputs. */
export function runOptions(own: OptionTable): OptionTable {
  return { model: MODEL_OPTION, ...own, ...MODEL_OPTIONS, ...OUTPUT_OPTIONS };
}
