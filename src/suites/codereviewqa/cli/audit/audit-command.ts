import type { AddCommand } from "../../../../console/command.js";
import { MODEL_OPTIONS } from "../../../../console/model-options.js";
import { FLIPS_OPTIONS, isFlips } from "./flips-options.js";

// A whole text has no template and no answer to be forced.
const { "prompt-mode": _mode, "allow-generated": _generated, force: _force, ...CONNECTION_OPTIONS } = MODEL_OPTIONS;

const OPTIONS = {
  model: {
    alias: "m",
    type: "string",
    requiresArg: true,
    describe: "alias, provider:name or .gguf file (see: probe models); a base model, not an instruction-tuned one",
  },
  dataset: { type: "string", requiresArg: true, describe: "JSONL file, starter or hf:OWNER/NAME (default: starter)" },
  against: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "benchmarks to hold it against: files in official or raw form",
  },
  task: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "ACR, CTR, CL, SI: comma list or repeated (default: all)",
  },
  difficulty: { type: "string", array: true, requiresArg: true, describe: "easy, hard or both (default: both)" },
  language: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "only these languages: comma list or repeated",
  },
  sample: { type: "string", requiresArg: true, describe: "draw N examples of each file at random" },
  limit: { type: "string", requiresArg: true, describe: "the first N examples of each file (after --sample)" },
  starts: {
    type: "string",
    requiresArg: true,
    describe: "where the 5-grams begin: even (spread over the text, default) or random (drawn by --seed)",
  },
  seed: {
    type: "string",
    requiresArg: true,
    describe: "seed of --sample, --starts random, the made-up names and the bootstrap (default: 0)",
  },
  "no-renamed": { type: "boolean", describe: "leave out the renamed-code reference" },
  ...CONNECTION_OPTIONS,
  "skip-invalid": { type: "boolean", describe: "leave out invalid lines and say how many" },
  out: { type: "string", requiresArg: true, describe: "the audit's own folder (default: a new one under results/)" },
  resume: { type: "string", requiresArg: true, describe: "go on with the audit in this folder" },
  json: { type: "boolean", describe: "print one JSON document instead of the tables" },
  quiet: { alias: "q", type: "boolean", describe: "no messages, no progress" },
  ...FLIPS_OPTIONS,
} as const;

/** `probe audit`. */
export const auditCommand: AddCommand = (parser, console, done) =>
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
        .options(OPTIONS)
        .example("$0 audit --model tiny", "the starter set under the bundled model")
        .example(
          "$0 audit --model qwen --dataset hf:Tomo-Melb/CodeReviewQA --against older.jsonl",
          "the paper's Table 4",
        )
        .example("$0 audit --model tiny --task ACR,CL --difficulty hard --language py,go", "some forms only")
        .example("$0 audit --flips --model tiny --task CL --limit 20", "do answers hold when asked again, or exactly?")
        .example("$0 audit --resume results/20261121T230354Z-audit-tiny-1f2e3d4c", "go on after a kill"),
    async (argv) => {
      if (isFlips(argv)) {
        const { handleFlips } = await import("./flips-handler.js");
        done(await handleFlips(argv, console));
        return;
      }
      const { handleAudit } = await import("./audit-handler.js");
      done(await handleAudit(argv, console));
    },
  );
