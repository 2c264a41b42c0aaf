import { type Command, command, loaded } from "../../console/command.js";
import {
  optionalPositional,
  optionalPositionals,
  positional,
  positionals,
  required,
  switchOption,
  textOption,
} from "../../console/option-kinds.js";
import { CI_OPTIONS, GATE_OPTIONS, runOptions } from "../../console/run-options.js";
import type { SuiteEntry, Suites } from "../../run/suite-entry.js";

/** `probe init`. */
export function initCommand(suites: Suites): Command {
  return command({
    name: "init",
    also: ["new", "create", "configure", "config", "quickstart"],
    describe: "ask what you have (model, server, reviews, CI); write probe.config.json and a CI job",
    about:
      "Writes what `probe run` then takes from probe.config.json, and a CI job where one is asked for; says which " +
      "commands come next. Asks at a terminal for what no option names. Replaces nothing without --force, asks no " +
      "model, writes no key.",
    options: async () => (await import("../command-options.js")).INIT_OPTIONS,
    examples: [
      ["", "asks"],
      ["--model path/to/model.gguf --reviews github:OWNER/REPO", "a model file, and reviews of a repository"],
      ["--base-url http://127.0.0.1:8000/v1 --ci github --fail-under CL=0.5", "a server, held against a bar in CI"],
    ],
    run: async (...call) => (await import("../init/init-handler.js")).handleInit(suites, ...call),
  });
}

/** The matrix is of `probe run` alone, whatever suites it names. */
const MATRIX = switchOption(
  "run what is missing of the models, tasks, datasets and suites of `matrix` in probe.config.json",
  { group: "scale" },
);

/** `probe run`, and its like: the command of its own that a suite has; none where it has none. */
export function runCommand(suites: Suites, entry: SuiteEntry): Command[] {
  const { command: own, examples } = entry;
  if (own === null) return [];
  const hasMatrix = own.name === "run";
  return [
    {
      ...own,
      options: async () => ({ ...runOptions(await loaded(entry.options)), ...(hasMatrix && { matrix: MATRIX }) }),
      examples: hasMatrix ? [...examples, ["--matrix", "many models, one report"]] : examples,
      async run(given, console) {
        if (given["matrix"] === true) {
          const { handleMatrix } = await import("./matrix-handler.js");
          return handleMatrix(suites, given, console);
        }
        const { handleRun } = await import("./run-handler.js");
        return handleRun(entry, given, console);
      },
    },
  ];
}

/** `probe score`. */
export function scoreCommand(suites: Suites): Command {
  return command({
    name: "score",
    also: ["rescore", "recompute"],
    describe: "recompute a run's tables from its journal, without a model call",
    about: "Recomputes the tables of a run from its journals; datapackage.json beside them says what\nthey hold.",
    options: {
      run: positional("folder of a run", { isRun: true }),
      json: switchOption("print one JSON document instead of the table"),
      ...GATE_OPTIONS,
      ...CI_OPTIONS,
    },
    examples: [
      ["results/20261121T230354Z-tiny-1f2e3d4c", "the tables anew"],
      ["results/20261121T230354Z-tiny-1f2e3d4c --junit reports/probe.xml", "for a CI server"],
    ],
    run: async (...call) => (await import("./score-handler.js")).handleScore(suites, ...call),
  });
}

/** `probe merge`. */
export function mergeCommand(suites: Suites): Command {
  return command({
    name: "merge",
    also: ["join", "combine"],
    describe: "join the shares of a split run (--shard) into the run that they are together",
    synopsis: "<runs..> --out DIR",
    about:
      "Checks that the runs are all shares of one, writes it to a new folder, and scores it.\n" +
      "Makes no model call; the shares are left as they are.",
    options: {
      runs: positionals("folders of all shares, in any order", { isRun: true }),
      out: required(textOption("the whole run's folder: a new one", { isDemanded: true })),
      json: switchOption("print one JSON document instead of the table"),
    },
    examples: [["results/shard-* --out results/whole", "the run that was split"]],
    run: async (...call) => (await import("./score-handler.js")).handleMerge(suites, ...call),
  });
}

/** `probe runs`. */
export function runsCommand(suites: Suites): Command {
  return command({
    name: "runs",
    also: ["list", "ls", "history", "results", "status"],
    describe: "list the runs in a folder: when, which model, how far, what they came to",
    about:
      "Lists the runs in a folder, the newest first: a line a probe. Writes nothing. Every command that takes a run " +
      "knows those under results/ by their numbers here, by `latest` and by the beginning of their names.",
    options: {
      folder: optionalPositional("folder that holds runs (default: results)"),
      json: switchOption("print one JSON document"),
    },
    examples: [
      ["", "those under results/"],
      ["../older", "those of another folder"],
    ],
    run: async (...call) => (await import("../view/runs-handler.js")).handleRuns(suites, ...call),
  });
}

/** `probe view`. */
export function viewCommand(suites: Suites): Command {
  return command({
    name: "view",
    also: ["serve", "ui", "dashboard", "browse", "show"],
    describe: "a page of all runs in a folder: those that go on, their scores, comparisons, questions",
    about:
      "Serves a page to this machine alone: the runs in a folder with their scores, how far those are\n" +
      "that go on, and the report of any of them, side by side. Writes nothing. Ctrl-C ends it.",
    options: async () => {
      const { PAGE_OPTIONS } = await import("../../serve/page-options.js");
      return { folders: optionalPositionals("folders that hold runs (default: results)"), ...PAGE_OPTIONS };
    },
    places: "[folders..]",
    examples: [
      ["", "those under results/"],
      ["results ../older --port 8000", "those of two folders, at a port of your choice"],
    ],
    run: async (...call) => (await import("../view/view-handler.js")).handleView(suites, ...call),
  });
}

/** `probe worker`. */
export const workerCommand = command({
  name: "worker",
  describe: "take work from a queue, for runs with --queue on other machines",
  synopsis: "--queue URL --model M",
  about:
    "Opens a model, and answers what runs with the same --queue ask of it: the same model,\n" +
    "settings and version of this program. Ctrl-C ends it once what is under way is finished.",
  options: async () => (await import("../command-options.js")).WORKER_OPTIONS,
  examples: [
    ["--queue redis://10.0.0.5 --model qwen", "on each machine that has a GPU"],
    ["--queue redis://10.0.0.5 --model qwen --idle 600", "until there is nothing to do"],
  ],
  run: async (...call) => (await import("./worker-handler.js")).handleWorker(...call),
});

/** `probe report`. */
export function reportCommand(suites: Suites): Command {
  return command({
    name: "report",
    also: ["page", "html", "leaderboard", "plot"],
    describe: "write a report page for one or many runs, and a leaderboard",
    synopsis: "<runs..> [--out FILE.html]",
    about:
      "One self-contained HTML page: whether the scores show comprehension, with intervals and\n" +
      "floors, charts, a leaderboard for several runs, and a browser of every question with what the model\n" +
      "chose in every order. Opens from disk. Reads the journals, calls no model and no network.\n" +
      "Folders of audits may be named among the runs: their contamination tables are added.",
    options: async () => (await import("../command-options.js")).reportOptions(suites),
    places: "<runs..>",
    examples: [
      ["results/20261121T230354Z-tiny-1f2e3d4c", "the page of one run, in its folder"],
      ["results/a results/b --out ab.html", "two models side by side"],
      ["results/*/ --table scores", "every model on every probe (paper, Table 2)"],
      ["results/*/ --table languages --out tables.tex", "Tables 7 to 12, for a paper"],
      ["results/*/ --leaderboard-md LEADERBOARD.md", "all runs and audits, and a table for a README"],
    ],
    run: async (...call) => (await import("../report/report-handler.js")).handleReport(suites, ...call),
  });
}

/** `probe compare`. */
export function compareCommand(suites: Suites): Command {
  return command({
    name: "compare",
    also: ["diff", "versus"],
    describe: "test whether runs over the same questions differ: paired tests and intervals",
    synopsis: "<baseline> <candidate..>",
    about:
      "Compares each further run with the first, question by question: McNemar's exact test on\n" +
      "invariant correctness (of ACR: on exact match), intervals by example, p-values\n" +
      "adjusted for their number (Benjamini-Hochberg), and the least difference that this many\n" +
      "questions can show.\n" +
      "Reads the journals, calls no model. Refuses unfinished runs and runs over different questions.",
    options: async () => (await import("../command-options.js")).COMPARE_OPTIONS,
    places: "<runs..>",
    examples: [
      ["results/base results/new", "is the new model better?"],
      ["results/base results/new --fail-under -0.02", "in CI: exit code 5 when it got worse"],
      ["results/base results/new --fail-under 0 --junit compare.xml", "likewise, for a CI server"],
      ["results/a results/b results/c --all-pairs", "three pairs, adjusted together"],
    ],
    run: async (...call) => (await import("../report/compare-handler.js")).handleCompare(suites, ...call),
  });
}
