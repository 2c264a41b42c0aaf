import { languages } from "../../console/arguments.js";
import { MODEL_OPTIONS, seedOption } from "../../console/model-options.js";
import {
  choiceOption,
  countOption,
  listOption,
  type OptionValues,
  parsedListOption,
  switchOption,
  textOption,
  texts,
} from "../../console/option.js";
import { ablations } from "./cli/ablations.js";
import { difficulties } from "./cli/difficulties.js";

/** The options of `probe run`: each stands here once. In the order in which `run.json` keeps them. */
export const RUN_OPTIONS = {
  task: listOption("CTR, CL, SI, ACR, CLO: comma list or repeated (default: CTR,CL,SI)", {
    parse: (given) =>
      listOption("")
        .parse(given, "task")
        .map((task) => task.toUpperCase()),
    parameter: "tasks",
    inConfig: "anything",
  }),
  probe: parsedListOption(
    "a probe of your own: a TypeScript or JavaScript file, whose code is run; repeatable",
    (given): readonly string[] => [texts(given) ?? []].flat(),
    { isNamedAnew: true },
  ),
  difficulty: parsedListOption("easy, hard or both (default: both)", (given) => difficulties(texts(given)), {
    parameter: "difficulties",
    inConfig: "anything",
  }),
  ablate: parsedListOption(
    "ask multiple-choice questions once more without the review, the code or both: review,code,both",
    (given) => ablations(texts(given)),
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
  language: parsedListOption("only these languages: comma list or repeated", (given) => languages(texts(given)), {
    parameter: "languages",
    inConfig: "anything",
  }),
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
  earlyStop: switchOption("stop a question at its first wrong order; agreement is then absent", {
    parameter: "early_stop",
    inConfig: "anything",
  }),
  skipInvalid: switchOption("leave out invalid records and say how many", {
    parameter: "skip_invalid",
    inConfig: "anything",
  }),
};

/** The parsed options of a run. */
export type RunValues = OptionValues<typeof RUN_OPTIONS>;
