import type { AddCommand } from "../../console/command.js";
import { EXIT } from "../../console/exit-codes.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { describeRun, runHandled } from "./run-command.js";

/** `probe suite …`: every suite in one way. */
export const suiteCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command("suite", "list the suites, and run one of them", (group) =>
      group
        .usage("$0 suite <command>\n\nA suite is a kind of evaluation: what is asked, and how it is judged.")
        .demandCommand(1, "Expected a command after `probe suite`, found none.")
        .command(
          "list",
          "the suites there are",
          (command) =>
            command
              .option("json", { type: "boolean", describe: "print one JSON document" })
              .example("$0 suite list", "names, and what they ask"),
          (argv) => {
            const listed = suites.map(({ name, title }) => ({ name, title }));
            const width = Math.max(...listed.map(({ name }) => name.length));
            console.out(
              argv.json === true
                ? `${JSON.stringify({ suites: listed }, null, 2)}\n`
                : listed.map(({ name, title }) => `${name.padEnd(width)}  ${title}\n`).join(""),
            );
            done(EXIT.done);
          },
        )
        .command("run", "run a suite: record everything, score it", (command) =>
          suites.reduce(
            (own, entry) =>
              own.command(
                entry.name,
                entry.title,
                (each) =>
                  describeRun(
                    each.usage(`$0 suite run ${entry.name} --model M\n\n${entry.title}`),
                    entry,
                    `suite run ${entry.name}`,
                  ),
                async (argv) => done(await runHandled(entry, argv, console)),
              ),
            command
              .usage("$0 suite run <name>\n\nRuns a suite; its options: probe suite run <name> --help")
              .demandCommand(
                1,
                "Expected the name of a suite after `probe suite run`, found none. See: probe suite list",
              ),
          ),
        ),
    );
