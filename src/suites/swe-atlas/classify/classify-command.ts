import { command } from "../../../console/command.js";
import { seedOption } from "../../../console/model-options.js";
import { positional, required, switchOption } from "../../../console/option-kinds.js";
import { JUDGE_OPTIONS } from "../../../judge/judge-options.js";
import type { SuiteCommand } from "../../../run/suite-entry.js";

/** `probe suite classify swe-atlas`. */
export const CLASSIFY: SuiteCommand = command({
  name: "classify",
  describe:
    "Sorts the rubrics that the answers of a judged run fail into four classes, by a model, asked twice about each;\n" +
    "beside it the failures of known class that it sorts right, and its agreement with itself.",
  synopsis: "<run> --judge M",
  options: {
    run: positional("folder of a judged run with answers (qa)", { isRun: true }),
    judge: required({ ...JUDGE_OPTIONS.judge, describe: "the model that sorts, as for --model", isDemanded: true }),
    judgeBaseUrl: JUDGE_OPTIONS.judgeBaseUrl,
    judgeApiKeyEnv: JUDGE_OPTIONS.judgeApiKeyEnv,
    seed: seedOption("seed of the model (default: 0)"),
    dryRun: switchOption("count the calls, and ask nobody"),
    json: switchOption("print one JSON document"),
    quiet: switchOption("no messages", { alias: "q" }),
  },
  examples: [
    ["results/my-run --judge gpt-4o --dry-run", "how often it would be asked"],
    ["results/my-run --judge gpt-4o", "the classes; replies and table in results/my-run/classes"],
  ],
  run: async (...call) => (await import("./classify-handler.js")).handleClassify(...call),
});
