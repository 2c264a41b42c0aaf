import { parserOptions } from "../../../../console/option.js";
import type { AddSuiteCommand } from "../../../../run/suite-entry.js";
import { AUDIT_OPTIONS, AUDIT_OUTPUT, SUITE_DATA } from "./audit-options.js";
import { FLIPS_OPTIONS, isFlips } from "./flips-options.js";

/** `probe audit`. */
export const auditCommand: AddSuiteCommand = (parser, console, done, suites) =>
  parser.command(
    "audit [files..]",
    "how well a model knows the data already: perplexity and 5-gram accuracy of every example",
    (command) =>
      command
        .usage(
          "$0 audit --model M [--dataset D] [--against FILE …]\n\n" +
            "Scores every example as code refinement (ACR) and as multiple-choice questions (MCQA), each as\n" +
            "one text: perplexity, and the share of 5-grams that the model continues word for word. Tells\n" +
            "memorised code from predictable code by scoring each example once more with its identifiers\n" +
            "renamed. Needs a model that gives the log probability of every token of a text.",
        )
        .positional("files", { type: "string", array: true, describe: "further files of --against" })
        .options({ ...parserOptions({ ...AUDIT_OPTIONS, ...SUITE_DATA, ...AUDIT_OUTPUT }), ...FLIPS_OPTIONS })
        .example("$0 audit --model tiny", "the starter set under the bundled model")
        .example(
          "$0 audit --model qwen --dataset hf:Tomo-Melb/CodeReviewQA --against older.jsonl",
          "the paper's Table 4",
        )
        .example("$0 audit --model tiny --task ACR,CL --difficulty hard --language py,go", "some forms only")
        .example("$0 audit --flips --model tiny --task CL --limit 20", "do answers hold when asked again, or exactly?")
        .example("$0 audit --model qwen --suite refactorbench --part gold", "the right solutions of a suite of agents")
        .example("$0 audit --resume results/audit-tiny-1f2e3d4c", "go on after a kill"),
    async (argv) => {
      if (isFlips(argv)) {
        const { handleFlips } = await import("./flips-handler.js");
        done(await handleFlips(argv, console));
        return;
      }
      const { handleAudit } = await import("./audit-handler.js");
      const { withSuiteData } = await import("./suite-data.js");
      const { given, suite } = await withSuiteData(argv, suites, console);
      done(await handleAudit({ ...given, files: argv.files ?? [] }, suite, console));
    },
  );
