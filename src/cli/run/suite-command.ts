import type { Argv } from "yargs";
import type { AddCommand } from "../../console/command.js";
import { EXIT, type ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import { parserOptions } from "../../console/option.js";
import { showBlocks } from "../../console/show-blocks.js";
import { SUITE_COMMANDS, type SuiteCommand, type SuiteEntry } from "../../run/suite-entry.js";
import { addAgreement } from "./agreement-command.js";
import { addLink } from "./link-command.js";
import { describeRun, runHandled } from "./run-command.js";

/** `probe suite …`: every suite in one way. */
export const suiteCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command("suite", "list the suites, and run one of them", (group) => {
      const base = group
        .usage("$0 suite <command>\n\nA suite is a kind of evaluation: what is asked, and how it is judged.")
        .demandCommand(1, "Expected a command after `probe suite`, found none.");
      const withList = addList(base, suites, console, done);
      const withOwn = Object.keys(SUITE_COMMANDS).reduce(
        (own, name) => addOwn(own, name as SuiteCommand["name"], suites, console, done),
        withList,
      );
      const withTwo = addLink(addAgreement(withOwn, suites, console, done), suites, console, done);
      return addRun(withTwo, suites, console, done);
    });

type Done = (code: ExitCode) => void;

function addList(group: Argv, suites: readonly SuiteEntry[], console: Console, done: Done): Argv {
  return group.command(
    "list",
    "the suites there are",
    (command) =>
      command
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 suite list", "names, and what they ask"),
    (argv) => {
      const listed = suites.map(({ name, title }) => ({ name, title }));
      if (argv.json === true) console.out(`${JSON.stringify({ suites: listed }, null, 2)}\n`);
      else showBlocks(console, [{ kind: "facts", facts: listed.map(({ name, title }) => ({ name, parts: [title] })) }]);
      done(EXIT.done);
    },
  );
}

/** `probe suite check NAME`, and its like: of the suites that have it. */
function addOwn(
  group: Argv,
  name: SuiteCommand["name"],
  suites: readonly SuiteEntry[],
  console: Console,
  done: Done,
): Argv {
  const having = suites.flatMap((entry) => {
    const own = entry.suiteCommands?.find((command) => command.name === name);
    return own === undefined ? [] : [{ entry, own }];
  });
  if (having.length === 0) return group;
  return group.command(name, SUITE_COMMANDS[name], (command) =>
    having.reduce(
      (all, { entry, own }) =>
        all.command(
          own.files === null ? entry.name : `${entry.name} [files..]`,
          own.describe,
          (each) => describeOwn(each, entry.name, own),
          async (argv) => done(await own.run(argv, console)),
        ),
      command
        .usage(`$0 suite ${name} <name>\n\nOptions: probe suite ${name} <name> --help`)
        .demandCommand(
          1,
          `Expected the name of a suite after \`probe suite ${name}\`, found none. See: probe suite list`,
        ),
    ),
  );
}

function describeOwn(each: Argv, suite: string, { name, describe, files, options, examples }: SuiteCommand): Argv {
  const words = `suite ${name} ${suite}`;
  const described = each
    .usage(`$0 ${words}${files === null ? "" : " [files..]"}\n\n${describe}`)
    .options(parserOptions(options));
  const positioned =
    files === null ? described : described.positional("files", { type: "string", array: true, describe: files });
  return examples.reduce((own: Argv, [rest, does]) => own.example(`$0 ${words} ${rest}`.trimEnd(), does), positioned);
}

function addRun(group: Argv, suites: readonly SuiteEntry[], console: Console, done: Done): Argv {
  return group.command("run", "run a suite: record everything, score it", (command) =>
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
        .demandCommand(1, "Expected the name of a suite after `probe suite run`, found none. See: probe suite list"),
    ),
  );
}
