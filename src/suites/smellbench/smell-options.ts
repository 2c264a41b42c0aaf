import { seedOption } from "../../console/model-options.js";
import type { OptionValues } from "../../console/option.js";
import {
  choiceOption,
  listOption,
  optionalPositionals,
  required,
  switchOption,
  textOption,
  wholeOption,
} from "../../console/option-kinds.js";
import { JUDGED_OPTIONS } from "../../judge/judge-options.js";
import { IMAGE_OPTION, REPO_OPTION, SANDBOX_OPTION } from "../../trial/trial-options.js";
import { DIFFICULTIES, INJECTED } from "./smell-case.js";

/** Options of the benchmark besides those of every judged suite. */
export const OWN_OPTIONS = {
  repo: REPO_OPTION,
  smellAnalysis: switchOption("have the judge describe each case's smell first, where the case has no such text", {
    parameter: "smell_analysis",
  }),
};

/** All that `probe suite run smellbench` takes. */
export const SMELL_OPTIONS = { ...JUDGED_OPTIONS, ...OWN_OPTIONS };

/** Options of `probe suite stats smellbench`. */
export const STATS_OPTIONS = {
  files: optionalPositionals(
    "per_case.csv of runs; cases, as --data takes them; JSON with printed cells: {table1: [{agent, llm, TPR, LA, …}], table3: […]}",
  ),
  repo: OWN_OPTIONS.repo,
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};

export type StatsValues = OptionValues<typeof STATS_OPTIONS>;

/** Options of `probe suite inject smellbench`. */
export const INJECT_OPTIONS = {
  repo: required(textOption("the repository, as it is", { isDemanded: true })),
  out: required(textOption("a new folder for the cases, as --data takes it", { isDemanded: true })),
  testCmd: required(textOption("command of the tests, such as 'node --test'; no shell", { isDemanded: true })),
  tests: listOption("files or folders of tests, which go behind the command: comma list or repeated"),
  smell: choiceOption("kind of smell", INJECTED, "dead_code_elimination"),
  count: wholeOption("cases to make (default: 3)", 1, 3),
  difficulty: choiceOption(
    "easy, medium or hard: in one, two or three files; shotgun_surgery in one more",
    DIFFICULTIES,
    "easy",
  ),
  seed: seedOption("seed of what is drawn (default: 0)"),
  sandbox: SANDBOX_OPTION,
  image: IMAGE_OPTION,
  quiet: switchOption("no messages", { alias: "q" }),
};

export type InjectValues = OptionValues<typeof INJECT_OPTIONS>;
