import { command } from "../../console/command.js";
import { seedOption } from "../../console/model-options.js";
import { positional, required, switchOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import { JUDGE_OPTIONS } from "../judge-options.js";
import type { SortedSuite } from "./classify-handler.js";

/**
 * `probe suite classify` of a suite.
 * @param failures what is sorted, and into how many classes
 * @param run the runs that have such
 */
export function classifyCommand(
  { failures, run }: { readonly failures: string; readonly run: string },
  load: () => Promise<SortedSuite>,
): SuiteCommand {
  return command({
    name: "classify",
    describe:
      `Sorts ${failures}, by a model, asked twice about each;\n` +
      "beside it the failures of known class that it sorts right, and its agreement with itself.",
    synopsis: "<run> --judge M",
    options: {
      run: positional(`folder of ${run}`, { isRun: true }),
      judge: required({ ...JUDGE_OPTIONS.judge, describe: "the model that sorts, as for --model", isDemanded: true }),
      judgeBaseUrl: JUDGE_OPTIONS.judgeBaseUrl,
      judgeApiKeyEnv: JUDGE_OPTIONS.judgeApiKeyEnv,
      judgeThink: JUDGE_OPTIONS.judgeThink,
      seed: seedOption("seed of the model (default: 0)"),
      dryRun: switchOption("count the calls, and ask nobody"),
      json: switchOption("print one JSON document"),
      quiet: switchOption("no messages", { alias: "q" }),
    },
    examples: [
      ["results/my-run --judge gpt-4o --dry-run", "how often it would be asked"],
      ["results/my-run --judge gpt-4o", "the classes; replies and table in results/my-run/classes"],
    ],
    run: async (...call) => (await import("./classify-handler.js")).handleClassify(await load(), ...call),
  });
}
