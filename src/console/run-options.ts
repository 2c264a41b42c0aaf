import { type Shard, shardText } from "../base/shard.js";
import { shorten } from "../base/text.js";
import { single, usage } from "./arguments.js";
import { CI_OPTIONS, GATE_OPTIONS } from "./ci-options.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "./model-options.js";
import { grouped, type Option, type OptionTable, type OptionValues, texts } from "./option.js";
import { switchOption, textOption } from "./option-kinds.js";

const SHARD = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/;

/** `--queue`, of those who ask and of those who work. Nothing keeps it: a password may stand in it. */
export const QUEUE_OPTION: Option<string | null> = textOption(
  "redis://[user@]host[:port]: the model is that of workers (probe worker); a password may stand in $REDIS_PASSWORD",
  {
    anew({ queue }) {
      if (typeof queue !== "string") return [];
      return [URL.canParse(queue) && new URL(queue).password === "" ? queue : "URL"];
    },
  },
);

/** Options that spread a run over machines. */
export const SCALE_OPTIONS = grouped("scale", {
  shard: {
    kind: "value",
    describe: "ask one share alone, such as 2/4; all shares together: probe merge",
    parse(given, flag) {
      const text = single(flag, texts(given));
      if (text === undefined) return null;
      const [, index, count] = (SHARD.exec(text) ?? []).map(Number);
      if (index !== undefined && count !== undefined && index <= count) return { index, count };
      throw usage(flag, "i/n, such as 2/4", `"${shorten(text, 120)}"`);
    },
    isOwn: true,
    replay: ({ shard }) => (shard === undefined ? undefined : shardText(shard)),
  } satisfies Option<Shard | null>,
  queue: QUEUE_OPTION,
});

/** Options for the place and the display of a run: nothing of them is kept in `run.json`. */
export const OUTPUT_OPTIONS = {
  out: textOption("the run's own folder (default: a new one under results/)"),
  resume: textOption("go on with the run in this folder; its own parameters are kept", { isRun: true }),
  dryRun: switchOption("show counts, tokens, cost, time and one prompt a task; ask no server, record nothing"),
  estimate: switchOption("with --dry-run: ask a server a few questions too, to tell the time; they may cost"),
  json: switchOption("print one JSON document, no table"),
  quiet: switchOption("no messages, no progress", { alias: "q" }),
  ...GATE_OPTIONS,
  ...CI_OPTIONS,
};

/** Options of every run, whatever its suite. */
export const COMMON_OPTIONS = { model: MODEL_OPTION, ...MODEL_OPTIONS, ...SCALE_OPTIONS, ...OUTPUT_OPTIONS };

export type CommonValues = OptionValues<typeof COMMON_OPTIONS>;

/** All options of a run of a suite: the model first, then the suite's own, then how the model is reached, and outputs. */
export function runOptions(own: OptionTable): OptionTable {
  return { model: MODEL_OPTION, ...own, ...MODEL_OPTIONS, ...SCALE_OPTIONS, ...OUTPUT_OPTIONS };
}
