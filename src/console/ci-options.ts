import { ProbeError } from "../base/errors.js";
import { didYouMean } from "../base/near-names.js";
import { shorten } from "../base/text.js";
import { type Gate, REQUIREMENTS, type Requirement } from "../verdict/gate.js";
import { list, unknownWord, usage } from "./arguments.js";
import { type Given, grouped, type OptionValues, texts } from "./option.js";
import { parsedListOption, switchOption, textOption } from "./option-kinds.js";

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
  throw new ProbeError("bad_input", `${refused.message}${didYouMean(meant === undefined ? [] : [meant])}`);
}

function requirement(flag: string, text: string): Requirement {
  const found = REQUIREMENTS.find((candidate) => candidate === text);
  if (found !== undefined) return found;
  throw unknownWord(flag, text, REQUIREMENTS, `${REQUIREMENTS.join(" or ")}, such as CL=above_floor`);
}
