import { CI_OPTIONS } from "../../../console/ci-options.js";
import type { AddCommand } from "../../../console/command.js";
import { MODEL_OPTIONS } from "../../../console/model-options.js";

/** `probe run`. */
export const runCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "run",
    "ask a model every question under every order of its options; record and score the answers",
    (command) =>
      command
        .usage("$0 run --model M [--task T …]\n\nAsks, records, scores, and prints the summary table.")
        .options({
          model: {
            alias: "m",
            type: "string",
            requiresArg: true,
            describe: "alias, provider:name or .gguf file (see: probe models)",
          },
          task: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "CTR, CL, SI, ACR: comma list or repeated (default: CTR,CL,SI)",
          },
          probe: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "a probe of your own: a TypeScript or JavaScript file, whose code is run; repeatable",
          },
          difficulty: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "easy, hard or both (default: both)",
          },
          dataset: {
            type: "string",
            requiresArg: true,
            describe: "starter (default), a JSONL file of official records, or hf:OWNER/NAME",
          },
          language: {
            type: "string",
            array: true,
            requiresArg: true,
            describe: "only these languages: comma list or repeated",
          },
          sample: { type: "string", requiresArg: true, describe: "draw N examples at random" },
          seed: {
            type: "string",
            requiresArg: true,
            describe: "seed of --sample and of scripted:uniform (default: 0)",
          },
          limit: { type: "string", requiresArg: true, describe: "ask about the first N examples (after --sample)" },
          mode: {
            type: "string",
            requiresArg: true,
            describe: "fast (reuse shared prefixes) or exact (each prompt from scratch)",
          },
          "early-stop": {
            type: "boolean",
            describe: "stop a question at its first wrong order; agreement is then absent",
          },
          ...MODEL_OPTIONS,
          "skip-invalid": { type: "boolean", describe: "leave out invalid records and say how many" },
          out: {
            type: "string",
            requiresArg: true,
            describe: "the run's own folder (default: a new one under results/)",
          },
          resume: {
            type: "string",
            requiresArg: true,
            describe: "go on with the run in this folder; its own parameters are kept",
          },
          "dry-run": { type: "boolean", describe: "show counts, tokens and one prompt a task; ask nothing" },
          json: { type: "boolean", describe: "print one JSON document instead of the table" },
          quiet: { alias: "q", type: "boolean", describe: "no messages, no progress" },
          ...CI_OPTIONS,
        })
        .example("$0 run --model tiny --task CL --difficulty hard", "one probe on the bundled starter set")
        .example("$0 run --model qwen --language py,go --limit 20", "all probes, first 20 examples of two languages")
        .example("$0 run --model qwen --task ACR,CTR,CL,SI", "have it write the revisions too")
        .example("$0 run --model openai:auto --base-url http://127.0.0.1:8000/v1", "the model behind a server")
        .example("$0 run --model tiny --junit reports/probe.xml --github-summary", "in CI")
        .example("$0 run --resume results/20261121T230354Z-tiny-1f2e3d4c", "go on after a kill"),
    async (argv) => {
      const { handleRun } = await import("./run-handler.js");
      done(await handleRun(argv, console));
    },
  );
