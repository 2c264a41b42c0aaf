import { shorten } from "../../base/text.js";
import { MODEL_OPTIONS } from "../../console/model-options.js";
import { type Option, type OptionValues, single, texts, usage } from "../../console/option.js";
import {
  choiceOption,
  countOption,
  languageOption,
  positional,
  positionals,
  repeatedOption,
  required,
  switchOption,
  textOption,
  wholeOption,
} from "../../console/option-kinds.js";
import { PAGE_OPTIONS } from "../../serve/page-options.js";

const REVIEWS = "JSONL file of raw triples or official records";
const SKIP_RECORDS = switchOption("leave out invalid records and say how many");
const QUIET = switchOption("no messages, no progress", { alias: "q" });

/** The beginning of a day, UTC; `null` when it was not given. */
function dayOption(describe: string): Option<Date | null> {
  return {
    kind: "value",
    describe,
    parse(given, flag) {
      const text = single(flag, texts(given));
      if (text === undefined) return null;
      const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
      // 30 February would become 2 March.
      if (date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return date;
      throw usage(flag, "a day such as 2025-01-31", `"${shorten(text, 120)}"`);
    },
  };
}

export const IMPORT = {
  source: positional("hf:OWNER/NAME, github:OWNER/REPO, gitlab:GROUP/PROJECT, FILE.csv or promptfoo:FILE"),
  out: textOption("file to write (default: NAME.jsonl here, after what is imported)"),
  overwrite: switchOption("replace a file that exists"),
  since: dayOption("github, gitlab: merged on this day or later, YYYY-MM-DD (UTC)"),
  until: dayOption("github, gitlab: merged on this day or before, YYYY-MM-DD (UTC)"),
  maxPulls: countOption("github, gitlab: at most N merged requests, the first that were opened", 1),
  apiKeyEnv: textOption("environment variable that holds the token"),
  skipInvalid: switchOption("leave out invalid rows of FILE.csv or tests of promptfoo, say how many"),
  json: switchOption("print one JSON document"),
  quiet: QUIET,
};
export type ImportValues = OptionValues<typeof IMPORT>;

export const FILTER = {
  in: positional(REVIEWS),
  out: required(textOption("JSONL file of what is kept (required)")),
  drops: textOption("JSONL file of what is not: line, id, language, reason, matched text"),
  skipInvalid: SKIP_RECORDS,
  overwrite: switchOption("replace files that exist"),
  json: switchOption("print the funnel as one JSON document"),
};
export type FilterValues = OptionValues<typeof FILTER>;

export const SAMPLE = {
  in: positional(REVIEWS),
  out: required(textOption("JSONL file of the sample (required)")),
  perLanguage: required(countOption("examples of each language; all where there are fewer (required)", 1)),
  seed: wholeOption("the same seed draws the same sample (default: 0)", 0, 0),
  skipInvalid: SKIP_RECORDS,
  overwrite: switchOption("replace a file that exists"),
  json: switchOption("print what was drawn as one JSON document"),
};
export type SampleValues = OptionValues<typeof SAMPLE>;

export const STATS = {
  file: positional(REVIEWS),
  language: languageOption(),
  csv: textOption("write the table to this CSV file, in full precision"),
  skipInvalid: SKIP_RECORDS,
  overwrite: switchOption("replace a CSV file that exists"),
  json: switchOption("print one JSON document, in full precision, instead of the table"),
};
export type StatsValues = OptionValues<typeof STATS>;

export const REVIEW = {
  file: positional(REVIEWS),
  annotator: textOption("who decides; part of the file's name", { alias: "a" }),
  out: textOption("where decisions are saved (default: <file>.review.<annotator>.jsonl)"),
  conflicts: repeatedOption("two decisions files: show only what they disagree on, and who decided what (repeated)"),
  ...PAGE_OPTIONS,
  skipInvalid: switchOption("leave out lines that cannot be read and say how many"),
};
export type ReviewValues = OptionValues<typeof REVIEW>;

export const KAPPA = {
  a: positional("decisions file of one annotator"),
  b: positional("decisions file of the other"),
  json: switchOption("print one JSON document"),
  resolve: textOption("write the agreed set to this file"),
  resolutions: textOption("decisions file in which conflicts were resolved (made by: review --conflicts)"),
  data: textOption("the reviewed data (default: where the decisions file says)"),
  rounds: countOption("cut the examples into this many rounds", 1),
  roundSize: countOption("cut the examples into rounds of this many", 2),
  overwrite: switchOption("replace the file of --resolve"),
};
export type KappaValues = OptionValues<typeof KAPPA>;

export const APPLY = {
  file: positional("the file that was reviewed"),
  decisions: positionals("decisions files about it, one an annotator"),
  out: required(textOption("JSONL file of what is left (required)")),
  resolutions: textOption("decisions file in which conflicts were resolved (made by: review --conflicts)"),
  keepUndecided: switchOption("keep examples that nobody has dropped, decided or not"),
  overwrite: switchOption("replace a file that exists"),
  json: switchOption("print what became of the examples as one JSON document"),
};
export type ApplyValues = OptionValues<typeof APPLY>;

const { promptMode: _mode, allowGenerated: _generated, ...SURROGATE } = MODEL_OPTIONS;

export const BUILD = {
  input: positional("JSONL file of raw triples, or of records with or without options"),
  out: required(textOption("JSONL file to write (required)")),
  surrogate: textOption(
    "model that scores, infills and embeds: alias, provider:name or .gguf; --method paper needs one for SI",
  ),
  scorer: textOption("model that scores in the surrogate's place"),
  embedder: textOption("model that embeds in the surrogate's place"),
  writer: textOption("model that writes and checks near misses for SI, in its own template; the stronger, the better"),
  seed: wholeOption("decides every draw (default: 0)", 0, 0),
  limit: countOption("build the first N examples", 1),
  method: choiceOption(
    "wrong options: matched, that give nothing away, or by the paper alone (default: matched)",
    ["matched", "paper"],
    "matched",
  ),
  clOrder: choiceOption(
    "wrong locations of --method paper: sampled, or first in lexicographic order (default: sampled)",
    ["sampled", "first"],
    null,
  ),
  onlyComplete: switchOption("leave out records of which a question could not be built"),
  needsReading: switchOption("leave out CL and SI questions that matching words of the review answers"),
  ...SURROGATE,
  skipInvalid: switchOption("leave out lines that are no code reviews and say how many"),
  overwrite: switchOption("replace the output if it exists"),
  json: switchOption("print one JSON document instead of the tables"),
  quiet: QUIET,
};
export type BuildValues = OptionValues<typeof BUILD>;

export const VALIDATE = {
  files: positionals("JSONL files of official records or of raw triples"),
  json: switchOption("print one JSON document"),
};
export type ValidateValues = OptionValues<typeof VALIDATE>;

export const SHORTCUTS = {
  file: positional("JSONL file of official records"),
  out: textOption("write the JSON document to this file"),
  overwrite: switchOption("replace the output if it exists"),
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};
export type ShortcutsValues = OptionValues<typeof SHORTCUTS>;
