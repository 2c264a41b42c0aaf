import { type Command, command } from "../../../console/command.js";
import { switchOption, textOption } from "../../../console/option-kinds.js";
import type { SuiteEntry } from "../../../run/suite-entry.js";

/** `probe demo`. */
export function demoCommand(): Command {
  return command({
    name: "demo",
    also: ["example", "tour", "sample", "tutorial"],
    describe: "four made-up models, their page, and what each verdict means: offline, in seconds",
    about:
      "Scores recorded answers of made-up models of four kinds over the starter set, writes the page of their runs, " +
      "opens it where a person sits at the terminal, and explains each verdict. Asks no model.",
    options: {
      out: textOption("folder of the runs and the page (default: probe-demo)"),
      noOpen: switchOption("open no browser"),
      json: switchOption("print one JSON document"),
    },
    examples: [["", "what a score can mean"]],
    run: async (...call) => (await import("./demo-handler.js")).handleDemo(...call),
  });
}

/** `probe failures`. */
export function failuresCommand(): Command {
  return command({
    name: "failures",
    describe: "where a model fails that does not write the right revision, and where one fails that does",
    synopsis: "<run..>",
    about:
      "Of the examples whose revision the model did not write (ACR), the share that also fails CTR, CL,\n" +
      "SI and at least one of them (the paper's Table 3); the same of those it did write: success without\n" +
      "comprehension. And the accuracy of each step of CTR, CL, SI, ACR where the earlier ones are right.\n" +
      "Needs ACR and all probes, in one run or in several of the same model and examples; names what is\n" +
      "lacking. Reads the journals, calls no model.",
    options: async () => (await import("./export-options.js")).FAILURES_OPTIONS,
    places: "<runs..>",
    examples: [
      ["results/tiny", "Table 3, its mirror, and the chain"],
      ["results/a results/b --by language", "two models side by side, and by language"],
      ["results/tiny --list match.any", "what was written without being understood"],
    ],
    run: async (...call) => (await import("./failures-handler.js")).handleFailures(...call),
  });
}

/** `probe export`. */
export function exportCommand(): Command {
  return command({
    name: "export",
    also: ["convert", "inspect", "lm-eval", "promptfoo", "parquet", "hub", "push"],
    describe: "a run or a data set in the format of another tool: inspect_ai, lm-eval, promptfoo, the hub",
    synopsis: "<what> --format F --out FOLDER",
    about:
      "A run, question by question, as logs for inspect_ai's viewer; a data set as tasks of inspect_ai and\n" +
      "lm-evaluation-harness, as tests of promptfoo (each question under all orders, with invariant and mean\n" +
      "accuracy), or as Parquet with a data set card. Writes a new folder, whole or not at all; asks no model.",
    options: async () => (await import("./export-options.js")).EXPORT_OPTIONS,
    places: "<what>",
    examples: [
      ["latest --format inspect-log --out logs", "the newest run, for `inspect view --log-dir logs`"],
      ["bench.jsonl --format lm-eval --out tasks", "for `lm_eval --include_path tasks --tasks codereviewqa`"],
      ["bench.jsonl --format hub --out card", "to upload to the hub"],
    ],
    run: async (...call) => (await import("./export-handler.js")).handleExport(...call),
  });
}

/** `probe audit`. */
export function auditCommand(suites: readonly SuiteEntry[]): Command {
  return {
    name: "audit",
    describe: "how well a model knows the data already: perplexity and 5-gram accuracy of every example",
    synopsis: "--model M [--dataset D] [--against FILE …]",
    about:
      "Scores every example as code refinement (ACR) and as multiple-choice questions (MCQA), each as\n" +
      "one text: perplexity, and the share of 5-grams that the model continues word for word. Tells\n" +
      "memorised code from predictable code by scoring each example once more with its identifiers\n" +
      "renamed. Needs a model that gives the log probability of every token of a text.",
    options: async () => {
      const { AUDIT_OPTIONS, SUITE_DATA, AUDIT_OUTPUT, FLIPS_OPTIONS } = await import("./audit-options.js");
      return { ...AUDIT_OPTIONS, ...SUITE_DATA, ...AUDIT_OUTPUT, ...FLIPS_OPTIONS };
    },
    places: "[files..]",
    examples: [
      ["--model tiny", "the starter set under the bundled model"],
      ["--model qwen --dataset hf:Tomo-Melb/CodeReviewQA --against older.jsonl", "the paper's Table 4"],
      ["--model tiny --task ACR,CL --difficulty hard --language py,go", "some forms only"],
      ["--flips --model tiny --task CL --limit 20", "do answers hold when asked again, or exactly?"],
      ["--model qwen --suite refactorbench --part gold", "the right solutions of a suite of agents"],
      ["--resume results/audit-tiny-1f2e3d4c", "go on after a kill"],
    ],
    async run(given, console) {
      const { isFlips } = await import("./audit-options.js");
      if (isFlips(given)) {
        const { handleFlips } = await import("./flips-handler.js");
        return handleFlips(given, console);
      }
      const { handleAudit } = await import("./audit-handler.js");
      const { withSuiteData } = await import("./suite-data.js");
      const audited = await withSuiteData(given, suites, console);
      return handleAudit(audited.given, audited.suite, console);
    },
  };
}
