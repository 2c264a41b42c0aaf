import { MODEL_OPTION, MODEL_OPTIONS } from "../console/model-options.js";
import { list, type OptionValues, texts } from "../console/option.js";
import {
  choiceOption,
  countOption,
  listOption,
  numberOption,
  optionalPositional,
  optionalPositionals,
  parsedListOption,
  positionals,
  repeatedOption,
  switchOption,
  textOption,
  wholeOption,
} from "../console/option-kinds.js";
import { CI_OPTIONS, GATE_OPTIONS, QUEUE_OPTION } from "../console/run-options.js";
import { LATEX_WIDTHS } from "../report/latex.js";
import { type Suites, tableNames } from "../run/suite-entry.js";

// All else about opening a model, such as its prompt mode, each run says; `--force` would lift a guard for others'
// runs.
const { promptMode: _, force: __, ...REACH } = MODEL_OPTIONS;

/** The options of a worker. */
export const WORKER_OPTIONS = {
  queue: QUEUE_OPTION,
  model: MODEL_OPTION,
  ...REACH,
  idle: countOption("end after so many seconds without a run to work for (default: never)", 1),
  lostAfter: countOption("give work of a worker that was silent for so many seconds to another (default: 30)", 2),
  quiet: switchOption("no messages", { alias: "q" }),
};

const FOLDER = optionalPositional("folder of a run, an audit or a suite's data");
const JSON_OPTION = switchOption("print one JSON document instead of the table");

export const SHOW_TRUST = { folder: FOLDER, json: JSON_OPTION };
export type ShowTrustValues = OptionValues<typeof SHOW_TRUST>;

export const LIST_TRUST = { json: JSON_OPTION };

export const ADD_TRUST = {
  folder: FOLDER,
  baseUrl: listOption("server that may have the key named beside it, http(s)://host"),
  apiKeyEnv: textOption("environment variable that holds the key for it"),
  apiKeyFile: textOption("file whose first line is the key for it"),
  module: listOption("module that may be run, as it is now"),
  alias: listOption("alias of probe.config.json that takes the place of one of the program's, as it is now"),
  yes: switchOption("all that is asked for"),
};
export type AddTrustValues = OptionValues<typeof ADD_TRUST>;

export const REMOVE_TRUST = { ids: optionalPositionals("ids of what is trusted"), all: switchOption("everything") };
export type RemoveTrustValues = OptionValues<typeof REMOVE_TRUST>;

/** CI servers that a job is written for. */
export const CI_SERVERS = ["github", "gitlab"] as const;

/** Options of `probe init` that a person at the terminal is asked for. */
export const INIT_ANSWERS = {
  model: MODEL_OPTION,
  baseUrl: MODEL_OPTIONS.baseUrl,
  apiKeyEnv: MODEL_OPTIONS.apiKeyEnv,
  reviews: textOption(
    "your reviews: a JSONL or CSV file, github:OWNER/REPO, gitlab:GROUP/PROJECT or hf:OWNER/NAME (default: the starter set)",
  ),
  ci: choiceOption("write a CI job for this server: github or gitlab", CI_SERVERS, null),
  failUnder: parsedListOption(GATE_OPTIONS.failUnder.describe, (given, flag): readonly string[] => {
    GATE_OPTIONS.failUnder.parse(given, flag);
    return list(texts(given));
  }),
};

/** What somebody has. */
export type InitAnswers = OptionValues<typeof INIT_ANSWERS>;

/** Options of `probe init`. */
export const INIT_OPTIONS = {
  ...INIT_ANSWERS,
  yes: switchOption("ask nothing: what is not named has its default"),
  force: switchOption("set the model, the data and the bar anew in probe.config.json, and replace the CI job"),
  json: switchOption("print one JSON document"),
};

export type InitValues = OptionValues<typeof INIT_OPTIONS>;

/** The options of `probe report`. */
export function reportOptions(suites: Suites) {
  const tables = tableNames(suites);
  return {
    runs: positionals("folders of runs, and of audits", { isRun: true }),
    out: textOption("the page (default: report.html in the run's folder; for several runs in this folder)"),
    table: choiceOption(`instead of the page a table: ${tables.join(", ")}`, tables, null),
    format: choiceOption(
      "of the table: md, csv, latex (default: for the terminal, or as --out ends)",
      ["md", "csv", "latex"],
      null,
    ),
    width: choiceOption("of a LaTeX table: column (default) or page, of a paper", LATEX_WIDTHS, null),
    dataset: repeatedOption("the file a run asked about, if it is not where it was; repeated for several"),
    leaderboardMd: textOption("write the leaderboard as Markdown too"),
    leaderboardCsv: textOption("write the leaderboard as CSV too"),
    overwrite: switchOption("replace files that exist"),
    json: switchOption("print one JSON document in place of the message"),
  };
}

export type ReportValues = OptionValues<ReturnType<typeof reportOptions>>;

/** The options of `probe compare`. */
export const COMPARE_OPTIONS = {
  runs: positionals("folders of finished runs", { isRun: true }),
  allPairs: switchOption("compare every run with every other, not with the first"),
  failUnder: numberOption(
    "exit code 5 when candidate minus baseline in invariant accuracy (of ACR: em) is under this, for any " +
      "probe or all: 0 allows no drop, -0.02 a drop of two points, 0.05 asks for a gain",
    {
      fits: (value) => value >= -1 && value <= 1,
      refusal: (flag, text) => `Expected a difference from -1 to 1 for --${flag}, such as -0.02, found "${text}".`,
    },
    null,
  ),
  seed: wholeOption("seed of the bootstrap (default: 0)", 0, 0),
  json: switchOption("print one JSON document instead of the tables"),
  ...CI_OPTIONS,
};

export type CompareValues = OptionValues<typeof COMPARE_OPTIONS>;
