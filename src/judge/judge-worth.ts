import { groupBy } from "../base/grouping.js";
import { shorten } from "../base/text.js";
import type { Block } from "../report/block.js";
import { notice, sentence } from "../report/make-block.js";
import { numberText } from "../report/number-text.js";
import { type Unanimity, unanimity } from "../stats/rater-agreement.js";
import type { ScoreDoubt } from "../trial/score/score-doubt.js";
import type { RealityFact } from "../verdict/verdict.js";
import type { JudgeControl } from "./judge-controls.js";
import type { RatingRecord } from "./rating-records.js";

/** Share of equal replies of a judge that was asked several times about the same; `null`: it was asked once. */
export function selfAgreement(records: readonly RatingRecord[]): Unanimity | null {
  const asked = records.filter(({ status }) => status !== "not_asked");
  const byQuestion = groupBy(asked, ({ agent, task_id, condition, trial, criterion_id }) =>
    JSON.stringify([agent, task_id, condition, trial, criterion_id]),
  );
  const votes = [...byQuestion.values()].map((own) => own.map(({ score }) => (score === null ? null : String(score))));
  const found = unanimity(votes);
  return found.n === 0 ? null : found;
}

/** Warns of a judge whose floor and ceiling nobody measured. */
export function uncontrolled(label: string, control: JudgeControl | null): string[] {
  if (control !== null) return [];
  return [`whether the judge ${label} tells right from wrong was not measured: add --controls`];
}

/** Notices about a judge's agreement with itself. */
export function agreementNotices(label: string, agreement: Unanimity | null): Block[] {
  if (agreement?.share == null)
    return [notice("warning", `Whether the judge ${label} agrees with itself was not measured: add --judge-votes 2.`)];
  const { share, n } = agreement;
  const bounds = [share.low, share.high].map((bound) => numberText(bound, "points")).join("–");
  return [
    sentence(
      `Self-agreement: all votes the same on ${numberText(share.value, "fraction")} (${bounds}) of ${n} rubrics.`,
    ),
  ];
}

const LONGEST_LABEL = 40;
const CONTROL_STATES = { tells: "good", useless: "bad", unknown: "doubtful" } as const;

/** Worth of a judge: right solutions, empty ones, agreement with itself. */
export function judgeReality(label: string, control: JudgeControl | null, agreement: Unanimity | null): RealityFact[] {
  const judge = shorten(label, LONGEST_LABEL);
  const met = (share: JudgeControl["floor"], text: string): Omit<RealityFact, "title"> =>
    control === null
      ? { share: null, state: "unknown", text: "not measured: --controls" }
      : { share, state: CONTROL_STATES[control.state], text };
  return [
    { title: "judge, right solutions", ...met(control?.ceiling ?? null, `ceiling of ${judge}`) },
    { title: "judge, empty solutions", ...met(control?.floor ?? null, `floor of ${judge}`) },
    {
      title: "judge, asked again",
      share: agreement?.share ?? null,
      state: agreement === null ? "unknown" : "good",
      text: agreement === null ? "not measured: --judge-votes 2" : `the same on so many of ${agreement.n} rubrics`,
    },
  ];
}

/**
 * The mark of every score that a judge has a part in; `null`: the judge was measured, by right solutions, by empty ones and by
 * the same again, and tells them apart.
 */
export function judgeDoubt(control: JudgeControl | null, agreement: Unanimity | null): ScoreDoubt | null {
  if (control?.state === "useless")
    return {
      mark: { text: "useless judge", tone: "bad" },
      why: "a judge has a part in these scores that does not tell right from wrong.",
    };
  const mark = { text: "judge?", tone: "warning" } as const;
  const ends = [...(control?.floor == null ? ["floor"] : []), ...(control?.ceiling == null ? ["ceiling"] : [])];
  const again = agreement?.share == null ? ["self-agreement"] : [];
  const lacking = [...ends, ...again];
  if (lacking.length > 0) {
    const options = [...(control === null ? ["--controls"] : []), ...(again.length > 0 ? ["--judge-votes 2"] : [])];
    const what = new Intl.ListFormat("en").format(lacking);
    const why = `a judge has a part in these scores whose ${what} ${lacking.length === 1 ? "was" : "were"} not measured${options.length === 0 ? "" : `: add ${options.join(" and ")}`}.`;
    return { mark, why };
  }
  if (control?.state === "tells") return null;
  return { mark, why: "a judge has a part in these scores that was measured on too little to tell." };
}
