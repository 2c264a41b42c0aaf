import { MODEL_OPTIONS, seedOption } from "../../console/model-options.js";
import { eachText, type Option, type OptionValues, usage, wholeNumber } from "../../console/option.js";
import {
  choiceOption,
  countOption,
  languageOption,
  listOption,
  numberOption,
  repeatedOption,
  switchOption,
  textOption,
  wholeOption,
  wordsOption,
} from "../../console/option-kinds.js";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import { WITHHELD } from "../../question/form.js";
import type { OrderDesign } from "../../question/permutations.js";
import { thinkOption } from "../../run/think-option.js";

/** The options of `probe run`: each stands here once. In the order in which `run.json` keeps them. */
export const RUN_OPTIONS = {
  task: taskOption("CTR, CL, SI, ACR, CLO: comma list or repeated (default: CTR,CL,SI)", { inConfig: "anything" }),
  probe: repeatedOption("a probe of your own: a TypeScript or JavaScript file, whose code is run; repeatable", {
    group: "questions",
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
      group: "questions",
      inConfig: "anything",
      // Runs without it keep the fingerprint that they had before there was any.
      record: (withheld) => (withheld.length === 0 ? undefined : [...withheld]),
    },
  ),
  dataset: textOption("starter (default), a JSONL file of official records, or hf:OWNER/NAME", {
    values: () => ["starter"],
    replay: ({ dataset }) => dataset?.source,
    inConfig: "path inside",
  }),
  language: languageOption({ parameter: "languages", inConfig: "anything" }),
  sample: countOption("draw N examples at random", 1, {
    parameter: "sample",
    inConfig: "anything",
    group: "questions",
  }),
  seed: seedOption("seed of --sample and of scripted:uniform (default: 0)", { group: "questions" }),
  limit: countOption("ask about the first N examples (of --sample)", 1, {
    parameter: "limit",
    inConfig: "anything",
  }),
  promptMode: MODEL_OPTIONS.promptMode,
  mode: choiceOption("fast (reuse shared prefixes) or exact (each prompt from scratch)", ["fast", "exact"], "fast", {
    parameter: "mode",
    inConfig: "anything",
    group: "model",
  }),
  earlyStop: switchOption(
    "stop a question at its first wrong order; agreement is then absent, mean accuracy by the first, drawn at random",
    {
      parameter: "early_stop",
      group: "questions",
      inConfig: "anything",
    },
  ),
  think: thinkOption(
    "before the answer",
    { parameter: "think", group: "questions", inConfig: "anything" },
    "off where the model can be asked so",
  ),
  traceThoughts: countOption("read the letter after each of K parts of the thoughts too", 1, {
    parameter: "trace_thoughts",
    group: "questions",
    inConfig: "anything",
    record: (parts) => parts ?? undefined,
  }),
  orders: ordersOption(),
  repeats: wholeOption("ask each order R times, each time with a seed of its own", 1, 1, {
    parameter: "repeats",
    group: "questions",
    inConfig: "anything",
    record: (times) => (times === 1 ? undefined : times),
  }),
  maxCost: numberOption(
    "stop before this is passed, in the currency of the price; --resume with more goes on",
    {
      fits: (value) => Number.isFinite(value) && value > 0,
      refusal: (flag, text) => `Expected an amount above 0 for --${flag}, found "${text.slice(0, 60)}".`,
    },
    null,
    { isOwn: true, isNamedAnew: true },
  ),
  until: choiceOption(
    "decided: each form, in random order, only until its verdict cannot be chance (wrong in 1 of 100 at most)",
    ["decided"],
    null,
    { parameter: "until", inConfig: "anything", record: (until) => until ?? undefined },
  ),
  batch: switchOption("ask in batches, within a day and for less, where the service has them (OpenAI, Anthropic)", {
    parameter: "batch",
    group: "model",
    inConfig: "anything",
    // Runs without it keep the fingerprint that they had before there was any.
    record: (isBatch) => isBatch || undefined,
  }),
  batchWait: countOption("leave batches that are under way after so many minutes; --resume goes on", 0, {
    group: "model",
    isOwn: true,
    isNamedAnew: true,
  }),
  skipInvalid: switchOption("leave out invalid records and say how many", {
    parameter: "skip_invalid",
    group: "questions",
    inConfig: "anything",
  }),
};

/** `--orders`: the orders that each question is asked under. */
function ordersOption(): Option<OrderDesign> {
  return {
    kind: "value",
    describe: "all N! orders (default), cyclic (N: each option at each place once), or K drawn in balance by --seed",
    parameter: "orders",
    group: "questions",
    values: () => ["all", "cyclic"],
    inConfig: "anything",
    // Runs without it keep the fingerprint that they had before there was any.
    record: (orders) => (orders === "all" ? undefined : orders),
    parse(given, flag) {
      const [text] = eachText(given);
      if (text === undefined || text === "all" || text === "cyclic") return text ?? "all";
      if (!/^\d+$/.test(text)) throw usage(flag, "all, cyclic or a whole number from 1", `"${text.slice(0, 60)}"`);
      return wholeNumber(flag, text, 1) ?? "all";
    },
  };
}

/** `--task`: names of probes. */
export function taskOption(
  describe: string,
  rest: Pick<Option<readonly string[]>, "inConfig"> = {},
): Option<readonly string[]> {
  const { parse, ...option } = listOption(describe, { parameter: "tasks", isJoined: true, ...rest });
  return {
    ...option,
    parse: (given, flag) => parse(given, flag).map((task) => task.toUpperCase()),
    async values() {
      const { loadProbes } = await import("../../question/probes.js");
      return [...(await loadProbes()).keys()];
    },
  };
}

/** `--difficulty`. */
export function difficultyOption(
  rest: Pick<Option<readonly Difficulty[]>, "inConfig"> = {},
): Option<readonly Difficulty[]> {
  const read = (word: string) => {
    const lower = word.toLowerCase();
    return lower === "both" ? DIFFICULTIES : chosenOf(DIFFICULTIES.filter((difficulty) => difficulty === lower));
  };
  const known = { all: DIFFICULTIES, words: [...DIFFICULTIES, "both"], read, expected: "easy, hard or both" };
  return wordsOption("easy, hard or both (default: both)", known, { parameter: "difficulties", ...rest });
}

function chosenOf<T>(found: readonly T[]): readonly T[] | undefined {
  return found.length === 0 ? undefined : found;
}

/** The parsed options of a run. */
export type RunValues = OptionValues<typeof RUN_OPTIONS>;
