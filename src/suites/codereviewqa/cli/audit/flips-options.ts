import { ProbeError } from "../../../../base/errors.js";
import { MODEL_OPTIONS } from "../../../../console/model-options.js";
import { type Option, parserOptions } from "../../../../console/option.js";

/** What `probe audit` takes with --flips only. */
export const FLIPS_OPTIONS = {
  flips: {
    type: "boolean",
    describe: "instead: ask the multiple-choice questions fast, fast again and exact, and show what answers change",
  },
  runs: {
    type: "string",
    nargs: 2,
    describe: "with --flips: compare two finished runs of the same questions, ask nothing",
  },
  ...parserOptions({
    promptMode: flipsOnly(MODEL_OPTIONS.promptMode),
    allowGenerated: flipsOnly(MODEL_OPTIONS.allowGenerated),
    force: flipsOnly(MODEL_OPTIONS.force),
  }),
} as const;

function flipsOnly<T>(option: Option<T>): Option<T> {
  return { ...option, describe: `with --flips: ${option.describe}` };
}

/** What `probe audit` takes without --flips only; by its name in the parsed arguments. */
const AUDIT_ONLY = {
  files: "further files",
  against: "--against",
  starts: "--starts",
  noRenamed: "--no-renamed",
  resume: "--resume",
  suite: "--suite",
  data: "--data",
  part: "--part",
};
const FLIPS_ONLY = {
  runs: "--runs",
  promptMode: "--prompt-mode",
  allowGenerated: "--allow-generated",
  force: "--force",
};
/** What says which questions are asked; named runs have theirs. */
const ASKING = {
  model: "--model",
  dataset: "--dataset",
  task: "--task",
  difficulty: "--difficulty",
  language: "--language",
  sample: "--sample",
  limit: "--limit",
  seed: "--seed",
  modelArg: "--model-arg",
  baseUrl: "--base-url",
  apiKeyEnv: "--api-key-env",
  apiKeyFile: "--api-key-file",
  concurrency: "--concurrency",
  skipInvalid: "--skip-invalid",
  promptMode: "--prompt-mode",
  allowGenerated: "--allow-generated",
  force: "--force",
};

/**
 * Whether `probe audit` was asked for --flips.
 * @throws ProbeError `bad_input` for an option that would have no effect
 */
export function isFlips(given: object): boolean {
  const isOn = has(given, "flips");
  const [useless, mode] = isOn ? [AUDIT_ONLY, "with --flips"] : [FLIPS_ONLY, "without --flips"];
  refuse(given, useless, mode);
  if (isOn && has(given, "runs")) refuse(given, ASKING, "with --runs, which asks nothing");
  return isOn;
}

function refuse(given: object, names: Readonly<Record<string, string>>, mode: string): void {
  const found = Object.entries(names).flatMap(([key, option]) => (has(given, key) ? [option] : []));
  if (found.length === 0) return;
  throw new ProbeError("bad_input", `Expected no ${found.join(", ")} ${mode}: it has no effect there. Leave it out.`);
}

function has(given: object, key: string): boolean {
  const value: unknown = Reflect.get(given, key);
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
