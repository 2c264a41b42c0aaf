import yargs, { type Argv } from "yargs";
import { messageOf, ProbeError } from "../base/errors.js";
import { type Command, command } from "../console/command.js";
import { type Console, EXIT, type ExitCode, exitCodeOf, type View, viewed } from "../console/console.js";
import { Interrupted } from "../console/progress.js";
import { requireDistinctSuites, type Suites } from "../run/suite-entry.js";
import { SUITES } from "../suites/registry.js";
import {
  COMMON_FLAGS,
  COMPLETION_FLAG,
  CommandParser,
  NothingAsked,
  parsedCall,
  type ReadyCommand,
  readyCommands,
  UsageFault,
  withoutDashes,
} from "./command-parser.js";
import { engineCommand, modelsCommand, trustCommand } from "./model-commands.js";
import {
  compareCommand,
  initCommand,
  mergeCommand,
  reportCommand,
  runCommand,
  runsCommand,
  scoreCommand,
  viewCommand,
  workerCommand,
} from "./run/run-commands.js";

/** Characters a line. */
const WIDEST_HELP = 100;

/** Asks for every option of a command that has many. */
const HELP_ALL = "--help-all";

/** `probe completion`: the parser's own script. */
const COMPLETION_COMMAND = command({
  name: "completion",
  describe: "print a script that completes commands, options and their values, in bash or zsh",
  about: "Prints a script for bash or zsh, whichever $SHELL names, that completes commands, options and their values.",
  options: {},
  examples: [[">> ~/.bashrc", "for every shell that is opened from now on"]],
  async run() {
    yargs().scriptName("probe").completion("completion").showCompletionScript();
    return EXIT.done;
  },
});

/**
 * Parses the arguments and does what they say.
 * @param given the words of the command line, behind the program's name
 * @param suites those that can be run; all that come with the program unless told otherwise
 * @returns the exit code
 */
export async function runCli(given: readonly string[], console: Console, suites: Suites = SUITES): Promise<ExitCode> {
  requireDistinctSuites(suites);
  const args = withoutDashes(given);
  if (args.length === 1 && args[0] === "--version") return showVersion(console);
  const view = { isWide: false, isPlain: false };
  const commands = commandsOf(suites);
  const ready = await readyCommands(commands, args);
  try {
    const parser = buildParser(args, ready, viewedConsole(console, view));
    parser.middleware((argv) => {
      view.isWide = argv["wide"] === true;
      view.isPlain = argv["no-color"] === true;
    });
    const perform = await parsedCall(parser, args.includes(HELP_ALL) ? [...args, "--help"] : args);
    return perform === null ? EXIT.done : await perform();
  } catch (error) {
    // What can be completed is printed by now.
    if (args[0] === COMPLETION_FLAG) return EXIT.done;
    const fault = usageFault(error, args);
    if (fault === null && error instanceof NothingAsked) return runCli([...args, "--help"], console, suites);
    if (fault === null) return reportError(error, console);
    const { usageText } = await import("./line-help.js");
    const { workingDirectory } = console;
    await showFault(await usageText(fault, { args, commands, ready, workingDirectory }), console);
    return EXIT.badInput;
  }
}

/** Message of the parser about arguments that it refuses; `null`: the error is another, or nothing was asked. */
function usageFault(error: unknown, args: readonly string[]): string | null {
  if (error instanceof UsageFault) return error.message;
  const strange = args.find((word) => word.startsWith("--") && !COMMON_FLAGS.includes(word.slice(2)));
  return error instanceof NothingAsked && strange !== undefined ? `Unknown argument: ${strange.slice(2)}` : null;
}

/** The console as `--wide` and `--no-color` have it: they are known once the parser has read them. */
function viewedConsole(console: Console, view: View): Console {
  return {
    ...console,
    get terminal() {
      return viewed(console.terminal, view);
    },
  };
}

async function showVersion(console: Console): Promise<ExitCode> {
  const { programIdentity } = await import("../base/program-identity.js");
  const { version, commit } = programIdentity();
  console.out(`${version}${commit === null ? "" : ` (${commit})`}\n`);
  return EXIT.done;
}

function buildParser(args: readonly string[], commands: readonly ReadyCommand[], console: Console): Argv {
  const isWhole = args.includes(HELP_ALL) || args[0] === COMPLETION_FLAG;
  const parser = new CommandParser(console, isWhole);
  const base: Argv = yargs()
    .scriptName("probe")
    .usage("$0 <command>\n\nFinds out where a model fails to understand a code review, and whether the number is real.")
    .parserConfiguration({ "greedy-arrays": false, "boolean-negation": false, "parse-numbers": false })
    .locale("en")
    .wrap(Math.min(WIDEST_HELP, console.terminal?.width ?? WIDEST_HELP))
    .version(false)
    .help()
    .alias("help", "h")
    .example("$0 run --model tiny --task CL --difficulty hard", "ask the bundled model where to change the code")
    .example("$0 dataset validate my-reviews.jsonl", "check a file of one's own")
    .epilogue("Every command has its own --help. Data goes to standard output, messages to standard error.")
    .strict()
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      if (message !== null && parser.isNothingAsked(message)) throw new NothingAsked(message);
      throw error === undefined || error.name === "YError" ? new UsageFault(message ?? error?.message ?? "") : error;
    });
  parser.demand(base, "");
  base.options({
    wide: { type: "boolean", describe: "show every column of a table, however wide" },
    "no-color": { type: "boolean", describe: "no colours, as with NO_COLOR; FORCE_COLOR has them in pipes too" },
  });
  // A command shows its groups in this order.
  base.group(["help"], "Options:").group(["wide", "no-color"], "Everywhere:");
  // Shown in the help; what it does is done before anything is parsed.
  base.option("version", { type: "boolean", global: false, describe: "Show version and commit" });
  base.option(HELP_ALL.slice(2), { type: "boolean", global: false, hidden: true });
  const complete: Completion = (current, _argv, usual, done) => {
    void offered(commands, args, current, console).then((words) => (words === null ? usual() : done([...words])));
  };
  return parser.add(base, commands).completion(COMPLETION_FLAG.slice(2), false, complete);
}

/** Offers words to be completed: its own, or the usual ones. */
type Completion = (current: string, argv: unknown, usual: () => void, done: (words: string[]) => void) => void;

async function offered(
  commands: readonly ReadyCommand[],
  args: readonly string[],
  current: string,
  { workingDirectory }: Console,
): Promise<readonly string[] | null> {
  const { offeredWords } = await import("./line-help.js");
  return offeredWords(commands, args, current, workingDirectory);
}

/** A message to the user, as wide as the terminal. */
async function showFault(message: string, { row, err }: Console): Promise<void> {
  const text = `probe: ${message}`;
  if (row === undefined) err(`${text}\n`);
  else err(`${(await import("../report/terminal.js")).wrappedMessage(text, row.width)}\n`);
}

async function reportError(error: unknown, console: Console): Promise<ExitCode> {
  if (error instanceof ProbeError) {
    await showFault(error.message, console);
    return exitCodeOf(error.code);
  }
  if (error instanceof Interrupted) {
    console.err(`${error.message}\n`);
    return EXIT.interrupted;
  }
  if (error instanceof Error && error.name === "YError") {
    await showFault(error.message, console);
    return EXIT.badInput;
  }
  console.err(`probe: unexpected error: ${stackOf(error)}\n`);
  return EXIT.unexpected;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

/** The commands of the program, in the order of its help; what the suites bring is among them. */
function commandsOf(suites: Suites): Command[] {
  return [
    initCommand(suites),
    ...suites.flatMap((entry) => runCommand(suites, entry)),
    scoreCommand(suites),
    runsCommand(suites),
    viewCommand(suites),
    mergeCommand(suites),
    workerCommand,
    reportCommand(suites),
    compareCommand(suites),
    ...suites.flatMap(({ commands }) => commands.map((own) => own(suites))),
    {
      name: "dataset",
      also: ["data", "benchmark"],
      describe: "make, check and describe data",
      about: "Works on files of code-review examples.",
      commands: async () => (await import("./dataset/dataset-commands.js")).DATASET_COMMANDS,
    },
    modelsCommand,
    engineCommand,
    trustCommand(suites),
    {
      name: "suite",
      also: ["agents", "trial"],
      describe: "list the suites, and run one of them",
      about: "A suite is a kind of evaluation: what is asked, and how it is judged.",
      commands: async () => (await import("./run/suite-commands.js")).suiteCommands(suites),
    },
    COMPLETION_COMMAND,
  ];
}
