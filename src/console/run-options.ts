import { badInput } from "../base/errors.js";
import { didYouMean } from "../base/near-names.js";
import { type Shard, shardText } from "../base/shard.js";
import { shorten } from "../base/text.js";
import { type Gate, REQUIREMENTS, type Requirement } from "../verdict/gate.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "./model-options.js";
import {
  type Given,
  grouped,
  list,
  type Option,
  type OptionTable,
  type OptionValues,
  single,
  texts,
  unknownWord,
  usage,
} from "./option.js";
import { parsedListOption, switchOption, textOption } from "./option-kinds.js";

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

/** The options of commands whose result a CI server can show. */
export const CI_OPTIONS = grouped("ci", {
  junit: textOption("write the checks as JUnit XML to this file; the exit code stays the same"),
  githubSummary: switchOption("append the summary to the job page of GitHub Actions (GITHUB_STEP_SUMMARY)"),
});

export type CiValues = OptionValues<typeof CI_OPTIONS>;

/** True if any output for CI is asked for. */
export function isCiWanted({ junit, githubSummary }: CiValues): boolean {
  return junit !== null || githubSummary;
}

/** The options that hold a run against what a CI job asks of it. */
export const GATE_OPTIONS = grouped("ci", {
  failUnder: parsedListOption(
    "exit with 5 if a score is lower: TASK=0.6, FORM=0.6 (CL_hard=0.6), or 0.6 for all forms; repeatable",
    (given, flag): Gate["thresholds"] =>
      named(given).map(({ form, value }) => ({ form, least: fraction(flag, value) })),
    { inConfig: "anything" },
  ),
  require: parsedListOption(
    "exit with 5 if a verdict is not as good: above_floor or readable; TASK=above_floor for one; may be repeated",
    (given, flag): Gate["requirements"] =>
      named(given).map(({ form, value }) => ({ form, requirement: requirement(flag, value) })),
    { inConfig: "anything" },
  ),
});

export type GateValues = OptionValues<typeof GATE_OPTIONS>;

export function gateOf(values: GateValues): Gate {
  return { thresholds: values.failUnder, requirements: values.require };
}

/** `NAME=VALUE`, or a value for all. */
function named(given: Given): { readonly form: string | null; readonly value: string }[] {
  return list(texts(given)).map((text) => {
    const equals = text.lastIndexOf("=");
    return { form: equals < 0 ? null : text.slice(0, equals).trim(), value: text.slice(equals + 1).trim() };
  });
}

function fraction(flag: string, text: string): number {
  const number = Number(text);
  if (text !== "" && number >= 0 && number <= 1) return number;
  const [, percent] = /^(\d{1,2}(?:\.\d+)?) ?%?$/.exec(text) ?? [];
  const [, form, share] = /^(\w+)[: ](.+)$/.exec(text) ?? [];
  const meant = percent === undefined ? form && `${form}=${share}` : String(Number(percent) / 100);
  const refused = usage(flag, "a score from 0 to 1, such as CL=0.6 or 0.6", `"${shorten(text, 60)}"`);
  throw badInput(`${refused.message}${didYouMean(meant === undefined ? [] : [meant])}`);
}

function requirement(flag: string, text: string): Requirement {
  const found = REQUIREMENTS.find((candidate) => candidate === text);
  if (found !== undefined) return found;
  throw unknownWord(flag, text, REQUIREMENTS, `${REQUIREMENTS.join(" or ")}, such as CL=above_floor`);
}

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
