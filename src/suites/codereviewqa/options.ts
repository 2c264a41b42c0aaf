import { languages } from "../../console/arguments.js";
import { MODEL_OPTIONS, seedOption } from "../../console/model-options.js";
import {
  choiceOption,
  countOption,
  listOption,
  type Option,
  type OptionValues,
  switchOption,
  textOption,
  texts,
} from "../../console/option.js";
import { difficulties } from "./cli/difficulties.js";

/** The options of `probe run`: each stands here once. In the order in which `run.json` keeps them. */
export const RUN_OPTIONS = {
  task: listOption("CTR, CL, SI, ACR: comma list or repeated (default: CTR,CL,SI)", {
    parse: (given) =>
      listOption("")
        .parse(given, "task")
        .map((task) => task.toUpperCase()),
    parameter: "tasks",
  }),
  probe: {
    kind: "list",
    describe: "a probe of your own: a TypeScript or JavaScript file, whose code is run; repeatable",
    parse: (given) => [texts(given) ?? []].flat(),
  } satisfies Option<readonly string[]>,
  difficulty: {
    kind: "list",
    describe: "easy, hard or both (default: both)",
    parse: (given) => difficulties(texts(given)),
    parameter: "difficulties",
  } satisfies Option<ReturnType<typeof difficulties>>,
  dataset: textOption("starter (default), a JSONL file of official records, or hf:OWNER/NAME", {
    replay: ({ dataset }) => dataset?.source,
  }),
  language: {
    kind: "list",
    describe: "only these languages: comma list or repeated",
    parse: (given) => languages(texts(given)),
    parameter: "languages",
  } satisfies Option<ReturnType<typeof languages>>,
  sample: countOption("draw N examples at random", 1, { parameter: "sample" }),
  seed: seedOption("seed of --sample and of scripted:uniform (default: 0)"),
  limit: countOption("ask about the first N examples (after --sample)", 1, { parameter: "limit" }),
  promptMode: MODEL_OPTIONS.promptMode,
  mode: choiceOption("fast (reuse shared prefixes) or exact (each prompt from scratch)", ["fast", "exact"], "fast", {
    parameter: "mode",
  }),
  earlyStop: switchOption("stop a question at its first wrong order; agreement is then absent", {
    parameter: "early_stop",
  }),
  skipInvalid: switchOption("leave out invalid records and say how many", { parameter: "skip_invalid" }),
};

/** The parsed options of a run. */
export type RunValues = OptionValues<typeof RUN_OPTIONS>;
