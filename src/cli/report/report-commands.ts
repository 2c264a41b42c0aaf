import { type Command, command } from "../../console/command.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe report`. */
export function reportCommand(suites: readonly SuiteEntry[]): Command {
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
    options: async () => (await import("./report-options.js")).reportOptions(suites),
    places: "<runs..>",
    examples: [
      ["results/20261121T230354Z-tiny-1f2e3d4c", "the page of one run, in its folder"],
      ["results/a results/b --out ab.html", "two models side by side"],
      ["results/*/ --table scores", "every model on every probe (paper, Table 2)"],
      ["results/*/ --table languages --out tables.tex", "Tables 7 to 12, for a paper"],
      ["results/*/ --leaderboard-md LEADERBOARD.md", "all runs and audits, and a table for a README"],
    ],
    run: async (...call) => (await import("./report-handler.js")).handleReport(suites, ...call),
  });
}

/** `probe compare`. */
export function compareCommand(suites: readonly SuiteEntry[]): Command {
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
    options: async () => (await import("./report-options.js")).COMPARE_OPTIONS,
    places: "<runs..>",
    examples: [
      ["results/base results/new", "is the new model better?"],
      ["results/base results/new --fail-under -0.02", "in CI: exit code 5 when it got worse"],
      ["results/base results/new --fail-under 0 --junit compare.xml", "likewise, for a CI server"],
      ["results/a results/b results/c --all-pairs", "three pairs, adjusted together"],
    ],
    run: async (...call) => (await import("./compare-handler.js")).handleCompare(suites, ...call),
  });
}
