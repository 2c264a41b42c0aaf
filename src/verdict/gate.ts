import { badInput } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { limitedText, shorten } from "../base/text.js";
import { isReadable, judgementText } from "./judgement.js";
import type { RunVerdicts, VerdictForm } from "./verdict.js";

/** Requirements on the judgement of a form. */
export const REQUIREMENTS = ["readable", "above_floor"] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Limits that a CI job sets to a run; both empty: none. */
export interface Gate {
  /** The least share passed, 0–1, of the forms of a name; `form`: `null`: of every form. */
  readonly thresholds: readonly { readonly form: string | null; readonly least: number }[];
  readonly requirements: readonly { readonly form: string | null; readonly requirement: Requirement }[];
}

/** Result of a gate for one form. */
export interface GateFinding {
  readonly form: string;
  /** The option that asks it. */
  readonly option: "fail-under" | "require";
  /** Such as `at least 0.6`. */
  readonly wanted: string;
  readonly found: string;
  readonly passed: boolean;
}

/**
 * Holds a run against a gate. By the score itself, not by its interval: a threshold, not a test. A form without a score,
 * or without a verdict, does not pass, and neither does a name that no form has. Forms with something withheld count only
 * where they are named in full.
 * @param elsewhere forms of other runs that the gate is for as well: a name of theirs that this run has not is passed over
 */
export function judgeGate(
  run: RunVerdicts,
  { thresholds, requirements }: Gate,
  elsewhere: readonly FormNames[] = [],
): GateFinding[] {
  const asked = [
    ...thresholds.map(({ form, least }) => ({ form, judge: (one: VerdictForm) => heldTo(one, least) })),
    ...requirements.map(({ form, requirement }) => ({ form, judge: (one: VerdictForm) => required(one, requirement) })),
  ];
  return asked.flatMap(({ form, judge }, i) => {
    const found = formsNamed(run, form);
    if (found.length > 0) return found.map(judge);
    if (form !== null && isNamed(namesOf(elsewhere), form)) return [];
    return [nothingFound(run, form, i < thresholds.length)];
  });
}

/** Names by which a gate may mean a form. */
export type FormNames = Pick<VerdictForm, "task" | "name">;

/**
 * That every name of a gate is that of a form, before anything is asked.
 * @throws ProbeError `bad_input` naming the first that is not, and those that there are
 */
export function requireForms(forms: readonly FormNames[], { thresholds, requirements }: Gate): void {
  const names = namesOf(forms);
  for (const [option, asked] of [["fail-under", thresholds] as const, ["require", requirements] as const]) {
    const strange = asked.find(({ form }) => form !== null && !isNamed(names, form))?.form;
    if (strange == null) continue;
    const expected = `Expected --${option} to name a form of the run (${names.join(", ")})`;
    throw badInput(`${expected}, found "${shorten(strange, 60)}".${nearHint(strange, names)}`);
  }
}

function namesOf(forms: readonly FormNames[]): string[] {
  return [...new Set(forms.flatMap(({ task, name }) => [task, name]))];
}

function isNamed(names: readonly string[], asked: string): boolean {
  return names.some((name) => plain(name) === plain(asked));
}

/** Tests if a gate names forms. */
export function namesForms({ thresholds, requirements }: Gate): boolean {
  return [...thresholds, ...requirements].some(({ form }) => form !== null);
}

/** One line a finding that does not pass. */
export function gateText(findings: readonly GateFinding[]): string {
  return findings
    .filter(({ passed }) => !passed)
    .map(({ form, option, wanted, found }) => `${form}: expected ${wanted} (--${option}), found ${found}\n`)
    .join("");
}

/** A name without case and signs: `CL_hard` and `cl hard` are the same. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, " ");
}

function formsNamed({ forms }: RunVerdicts, name: string | null): VerdictForm[] {
  const judged = forms.filter(({ ablation }) => ablation === "none");
  if (name === null) return judged;
  const exact = forms.filter((form) => plain(form.name) === plain(name));
  return exact.length > 0 ? exact : judged.filter(({ task }) => plain(task) === plain(name));
}

function nothingFound({ forms }: RunVerdicts, name: string | null, isThreshold: boolean): GateFinding {
  const names = namesOf(forms).join(", ");
  return {
    form: name ?? "every form",
    option: isThreshold ? "fail-under" : "require",
    wanted: "a form of this name",
    found: names === "" ? "none at all" : names,
    passed: false,
  };
}

function heldTo({ name, judgement, measures, score: { metric } }: VerdictForm, least: number): GateFinding {
  const { score } = judgement ?? { score: measures.find((measure) => measure.metric === metric)?.value ?? null };
  return {
    form: name,
    option: "fail-under",
    wanted: `a score of at least ${least}`,
    found: score === null ? "no score" : limitedText(score, least),
    passed: score !== null && score >= least,
  };
}

function required({ name, kind, judgement }: VerdictForm, requirement: Requirement): GateFinding {
  const isMet =
    requirement === "above_floor"
      ? judgement?.state === "above_floor"
      : kind !== "choice" || (judgement !== null && isReadable(judgement) === true);
  return {
    form: name,
    option: "require",
    wanted: requirement,
    found: judgement === null ? "a control, which gets no verdict" : judgementText(judgement),
    passed: isMet,
  };
}
