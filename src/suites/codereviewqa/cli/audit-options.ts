import { badInput } from "../../../base/errors.js";
import { MODEL_OPTION, MODEL_OPTIONS, seedOption } from "../../../console/model-options.js";
import { flagOf, type GivenOptions, type Option, type OptionValues } from "../../../console/option.js";
import {
  choiceOption,
  countOption,
  languageOption,
  optionalPositionals,
  repeatedOption,
  switchOption,
  textOption,
} from "../../../console/option-kinds.js";
import { SUITE_PARTS } from "../../../run/suite-entry.js";
import { START_MODES } from "../audit/sequence-score.js";
import { difficultyOption, taskOption } from "../options.js";

// A whole text has no template and no answer to be forced.
const { promptMode: _mode, allowGenerated: _generated, force: _force, ...CONNECTION_OPTIONS } = MODEL_OPTIONS;

/** Options of an audit, in the order in which `audit.json` keeps them. */
export const AUDIT_OPTIONS = {
  files: optionalPositionals("further files of --against"),
  model: {
    ...MODEL_OPTION,
    describe: `${MODEL_OPTION.describe}; a base model, not an instruction-tuned one`,
  },
  dataset: textOption("JSONL file, starter or hf:OWNER/NAME (default: starter)", {
    replay: ({ benchmarks }) => benchmarks?.[0]?.source,
  }),
  against: repeatedOption("benchmarks to hold it against: files in official or raw form", {
    replay: ({ benchmarks }) => benchmarks?.slice(1).map(({ source }) => source),
  }),
  task: taskOption("ACR, CTR, CL, SI: comma list or repeated (default: all)"),
  difficulty: difficultyOption(),
  language: languageOption({ parameter: "languages" }),
  sample: countOption("draw N examples of each file at random", 1, { parameter: "sample" }),
  limit: countOption("the first N examples a file (after --sample)", 1, { parameter: "limit" }),
  seed: seedOption("seed of --sample, --starts random, the made-up names and the bootstrap (default: 0)"),
  starts: choiceOption(
    "where the 5-grams begin: even (spread over the text, default) or random (drawn by --seed)",
    START_MODES,
    "even",
    { parameter: "starts" },
  ),
  noRenamed: switchOption("leave out the renamed-code reference", {
    replay: ({ parameters }) => parameters["renamed"] === false,
  }),
  ...CONNECTION_OPTIONS,
  skipInvalid: switchOption("leave out invalid lines and say how many", { parameter: "skip_invalid" }),
};

/** The code of a suite of agents in place of a data set. */
export const SUITE_DATA = {
  suite: textOption("audit the code of a suite of agents, file by file, in place of --dataset"),
  data: textOption("folder of that suite's tasks (default: those that come with the program)"),
  part: choiceOption(
    "what of it: source (what agents see), test (what judges) or gold (right solutions)",
    SUITE_PARTS,
    "source",
  ),
  repo: textOption("for --suite: a clone that its tasks are about, or a folder of clones by their names"),
};

/** Options for the place and the display of an audit. */
export const AUDIT_OUTPUT = {
  out: textOption("the audit's own folder (default: a new one under results/)"),
  resume: textOption("go on with the audit in this folder"),
  json: switchOption("print one JSON document instead of the tables"),
  quiet: switchOption("no messages, no progress", { alias: "q" }),
};

export type AuditValues = OptionValues<typeof AUDIT_OPTIONS>;

/** Options of `probe audit` with --flips only. */
export const FLIPS_OPTIONS = {
  flips: switchOption(
    "instead: ask the multiple-choice questions fast, fast again and exact, and show what answers change",
  ),
  runs: repeatedOption("with --flips: --runs A B compares two finished runs of the same questions, and asks nothing", {
    count: 2,
    isRun: true,
  }),
  promptMode: flipsOnly(MODEL_OPTIONS.promptMode),
  allowGenerated: flipsOnly(MODEL_OPTIONS.allowGenerated),
  force: flipsOnly(MODEL_OPTIONS.force),
};

function flipsOnly<T>(option: Option<T>): Option<T> {
  return { ...option, describe: `with --flips: ${option.describe}` };
}

const AUDIT_ONLY = ["files", "against", "starts", "noRenamed", "resume", "suite", "data", "part"];
const FLIPS_ONLY = ["runs", "promptMode", "allowGenerated", "force"];
/** Options that say which questions are asked; named runs have theirs. */
const ASKING = [
  "model",
  "dataset",
  "task",
  "difficulty",
  "language",
  "sample",
  "limit",
  "seed",
  "modelArg",
  "baseUrl",
  "apiKeyEnv",
  "apiKeyFile",
  "concurrency",
  "skipInvalid",
  "promptMode",
  "allowGenerated",
  "force",
];

/**
 * Tests if `probe audit` was asked for --flips.
 * @throws ProbeError `bad_input` for an option that would have no effect
 */
export function isFlips(given: GivenOptions): boolean {
  const isOn = has(given, "flips");
  if (isOn) refuse(given, AUDIT_ONLY, "with --flips");
  else refuse(given, FLIPS_ONLY, "without --flips");
  if (isOn && has(given, "runs")) refuse(given, ASKING, "with --runs, which asks nothing");
  return isOn;
}

function refuse(given: GivenOptions, names: readonly string[], mode: string): void {
  const found = names.filter((name) => has(given, name));
  if (found.length === 0) return;
  const words = found.map((name) => (name === "files" ? "further files" : `--${flagOf(name)}`)).join(", ");
  throw badInput(`Expected no ${words} ${mode}: it has no effect there. Leave it out.`);
}

function has(given: GivenOptions, name: string): boolean {
  const value = given[name];
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
