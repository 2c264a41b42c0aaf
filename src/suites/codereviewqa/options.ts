import { MODEL_OPTIONS, seedOption } from "../../console/model-options.js";
import type { Option, OptionValues } from "../../console/option.js";
import {
  choiceOption,
  countOption,
  languageOption,
  listOption,
  repeatedOption,
  switchOption,
  textOption,
  wordsOption,
} from "../../console/option-kinds.js";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import { WITHHELD } from "../../question/form.js";

/** The options of `probe run`: each stands here once. In the order in which `run.json` keeps them. */
export const RUN_OPTIONS = {
  task: taskOption("CTR, CL, SI, ACR, CLO: comma list or repeated (default: CTR,CL,SI)", { inConfig: "anything" }),
  probe: repeatedOption("a probe of your own: a TypeScript or JavaScript file, whose code is run; repeatable", {
    isNamedAnew: true,
  }),
  difficulty: difficultyOption({ inConfig: "anything" }),
  ablate: wordsOption(
    "ask multiple-choice questions once more without the review, the code or both: review,code,both",
    {
      all: WITHHELD,
      read: (word) => chosenOf(WITHHELD.filter((withheld) => withheld === word.toLowerCase())),
      expected: WITHHELD.join(", "),
    },
    {
      parameter: "ablate",
      inConfig: "anything",
      // Runs without it keep the fingerprint that they had before there was any.
      record: (withheld) => (withheld.length === 0 ? undefined : [...withheld]),
    },
  ),
  dataset: textOption("starter (default), a JSONL file of official records, or hf:OWNER/NAME", {
    replay: ({ dataset }) => dataset?.source,
    inConfig: "path inside",
  }),
  language: languageOption({ parameter: "languages", inConfig: "anything" }),
  sample: countOption("draw N examples at random", 1, { parameter: "sample", inConfig: "anything" }),
  seed: seedOption("seed of --sample and of scripted:uniform (default: 0)"),
  limit: countOption("ask about the first N examples (of --sample)", 1, {
    parameter: "limit",
    inConfig: "anything",
  }),
  promptMode: MODEL_OPTIONS.promptMode,
  mode: choiceOption("fast (reuse shared prefixes) or exact (each prompt from scratch)", ["fast", "exact"], "fast", {
    parameter: "mode",
    inConfig: "anything",
  }),
  earlyStop: switchOption(
    "stop a question at its first wrong order; agreement is then absent, mean accuracy by the first, drawn at random",
    {
      parameter: "early_stop",
      inConfig: "anything",
    },
  ),
  skipInvalid: switchOption("leave out invalid records and say how many", {
    parameter: "skip_invalid",
    inConfig: "anything",
  }),
};

/** `--task`: names of probes. */
export function taskOption(
  describe: string,
  rest: Pick<Option<readonly string[]>, "inConfig"> = {},
): Option<readonly string[]> {
  const { parse, ...option } = listOption(describe, { parameter: "tasks", isJoined: true, ...rest });
  return { ...option, parse: (given, flag) => parse(given, flag).map((task) => task.toUpperCase()) };
}

/** `--difficulty`. */
export function difficultyOption(
  rest: Pick<Option<readonly Difficulty[]>, "inConfig"> = {},
): Option<readonly Difficulty[]> {
  const read = (word: string) => {
    const lower = word.toLowerCase();
    return lower === "both" ? DIFFICULTIES : chosenOf(DIFFICULTIES.filter((difficulty) => difficulty === lower));
  };
  const known = { all: DIFFICULTIES, read, expected: "easy, hard or both" };
  return wordsOption("easy, hard or both (default: both)", known, { parameter: "difficulties", ...rest });
}

function chosenOf<T>(found: readonly T[]): readonly T[] | undefined {
  return found.length === 0 ? undefined : found;
}

/** The parsed options of a run. */
export type RunValues = OptionValues<typeof RUN_OPTIONS>;
