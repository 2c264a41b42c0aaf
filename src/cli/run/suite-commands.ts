import { resolve } from "node:path";
import { type Command, command, loaded } from "../../console/command.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { countOption, positional, required, switchOption, textOption } from "../../console/option-kinds.js";
import { runOptions } from "../../console/run-options.js";
import type { Block } from "../../report/block.js";
import { SUITE_COMMANDS, type SuiteCommand, type SuiteEntry, type Suites } from "../../run/suite-entry.js";

const JSON_OPTION = switchOption("print one JSON document");

/** The commands of `probe suite`: every suite in one way. */
export async function suiteCommands(suites: Suites): Promise<Command[]> {
  const own = await Promise.all(
    suites.map(async (entry) => ({ entry, commands: await loaded(entry.suiteCommands ?? []) })),
  );
  return [
    listCommand(suites),
    {
      name: "run",
      describe: "run a suite: record everything, score it",
      synopsis: "<name>",
      about: "Runs a suite; its options: probe suite run <name> --help",
      nothing: "Expected the name of a suite after `probe suite run`, found none. See: probe suite list",
      commands: suites.map(runOf),
    },
    ...Object.entries(SUITE_COMMANDS).flatMap(([name, describe]) => ownCommand(name, describe, own)),
    agreementCommand(suites),
    linkCommand(suites),
    showCommand(suites),
  ];
}

function listCommand(suites: Suites): Command {
  return command({
    name: "list",
    describe: "the suites there are",
    options: { json: JSON_OPTION },
    examples: [["", "names, and what they ask"]],
    async run({ json }, console) {
      const listed = suites.map(({ name, title }) => ({ name, title }));
      const facts = listed.map(({ name, title }) => ({ name, parts: [title] }));
      return showEither(console, json, { blocks: [{ kind: "facts", facts }], document: { suites: listed } });
    },
  });
}

/** `probe suite check NAME`, and its like: of the suites that have it; none where no suite has. */
function ownCommand(
  words: string,
  describe: string,
  suites: readonly { readonly entry: SuiteEntry; readonly commands: readonly SuiteCommand[] }[],
): Command[] {
  const commands = suites.flatMap(({ entry, commands: all }) =>
    all.filter((own) => own.name === words).map((own): Command => ({ ...own, name: entry.name })),
  );
  if (commands.length === 0) return [];
  const [group = "", name] = words.split(" ");
  const named = {
    name: name ?? group,
    describe,
    synopsis: "<name>",
    about: `Options: probe suite ${words} <name> --help`,
    nothing: `Expected the name of a suite after \`probe suite ${words}\`, found none. See: probe suite list`,
    commands,
  };
  return name === undefined ? [named] : [{ name: group, describe, synopsis: "<command>", commands: [named] }];
}

function runOf(entry: SuiteEntry): Command {
  return {
    name: entry.name,
    describe: entry.title,
    synopsis: "--model M",
    options: async () => runOptions(await loaded(entry.options)),
    examples: entry.examples,
    run: async (...call) => (await import("./run-handler.js")).handleRun(entry, ...call),
  };
}

function agreementCommand(suites: Suites): Command {
  return command({
    name: "agreement",
    describe: "how far two judges of the same trials agree, or one with itself",
    synopsis: "<run> <run>",
    about: "Kappa, macro-F1 and unanimity of two judges, or of one asked twice.",
    options: {
      first: positional("folder of a run with a judge", { isRun: true }),
      second: positional(
        "of another; the same: its first two votes; a CSV file: labels of people (task_id, criterion_id, label passed or failed)",
        { isRun: true },
      ),
      json: JSON_OPTION,
    },
    examples: [
      ["results/a results/b", "two judges of the same patches"],
      ["results/a labels.csv", "a judge and people"],
    ],
    async run({ first, second, json }, console) {
      const { compareJudges } = await import("./suite-handlers.js");
      return showEither(console, json, await compareJudges(suites, foldersAt(console, first, second)));
    },
  });
}

function linkCommand(suites: Suites): Command {
  return command({
    name: "link",
    describe: "hold an agent's successes against answers to probes about the same tasks",
    synopsis: "<run> --probes <run>",
    about:
      "Success and comprehension, a case a task: the four counts, Fisher's exact test, Wilson's intervals.\n" +
      "Only where the probes' scores are above their floors; otherwise it says why not.",
    options: {
      run: positional("folder of a run of agents", { isRun: true }),
      probes: required(
        textOption("folder of a run of questions that `suite probes` and `dataset build` made", {
          isDemanded: true,
          isRun: true,
        }),
      ),
      json: JSON_OPTION,
    },
    examples: [["results/agent --probes results/probes", "the four counts"]],
    async run({ run, probes, json }, console) {
      const { linkFolders } = await import("./suite-handlers.js");
      return showEither(console, json, await linkFolders(suites, foldersAt(console, run, probes)));
    },
  });
}

function showCommand(suites: Suites): Command {
  return command({
    name: "show",
    describe: "tell one trial of a run: what an agent read, wrote and ran, and where it failed",
    synopsis: "<run> <task>",
    about:
      "One trial from the run's files alone: its steps with their times and tokens, what it came to and where it failed\n" +
      "first, the patch beside a right one. A report of the run has them all.",
    options: {
      run: positional("folder of a run of agents", { isRun: true }),
      task: positional("id of a task"),
      condition: textOption("condition of the trial (default: the first that was tried)"),
      trial: countOption("number of the trial, from 0 (default: the first)", 0),
      agent: textOption("agent, such as the control gold (default: the one that the run is about)"),
      page: textOption("an HTML file to write, in place of the terminal"),
      overwrite: switchOption("replace that file"),
      json: JSON_OPTION,
    },
    examples: [
      ["results/my-run csv_report", "in the terminal"],
      ["results/my-run csv_report --trial 1 --page trial.html", "the second trial, as a page"],
    ],
    run: async (...call) => (await import("./suite-handlers.js")).handleShow(suites, ...call),
  });
}

/** The document where JSON is asked for, else the blocks. */
async function showEither(
  console: Console,
  isJson: boolean,
  { blocks, document }: { readonly blocks: readonly Block[]; readonly document: object },
): Promise<ExitCode> {
  const { showBlocks } = await import("../../report/terminal.js");
  if (isJson) console.out(jsonText(document));
  else showBlocks(console, blocks);
  return EXIT.done;
}

function foldersAt({ workingDirectory }: Console, a: string, b: string): readonly [string, string] {
  return [resolve(workingDirectory, a), resolve(workingDirectory, b)];
}
