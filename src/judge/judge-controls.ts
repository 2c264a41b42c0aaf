import { goldAgent, noopAgent } from "../agent/scripted-agents.js";
import { groupBy } from "../base/grouping.js";
import { meanOrNull } from "../base/sums.js";
import { shorten } from "../base/text.js";
import type { Block } from "../report/block.js";
import { notice, sentence } from "../report/make-block.js";
import { numberText } from "../report/number-text.js";
import { type Estimate, proportion, SHARE, tInterval } from "../stats/interval.js";
import { mcNemarExact } from "../stats/p-values.js";
import { type Unanimity, unanimity } from "../stats/rater-agreement.js";
import type { ScoreDoubt } from "../trial/score/score-doubt.js";
import type { RealityFact } from "../verdict/verdict.js";
import { opinionsOf, type RatingRecord, ratingsSaid } from "./rating-records.js";

/** Scores of a judge for right solutions and for empty ones: its ceiling and its floor. */
export interface JudgeControl {
  /** Positive rubrics met by the right solution, or the mean of its marks; `null`: none can be read, or none was asked. */
  readonly ceiling: Estimate | null;
  /** Positive rubrics met by the empty one, or the mean of its marks; `null`: none can be read, or none was asked. */
  readonly floor: Estimate | null;
  /** Positive rubrics that were read of both; of marks, tasks, each by the mean of its marks. */
  readonly pairs: number;
  /** Rubrics met, or marked higher, by the right solution alone, and by the empty one alone. */
  readonly rightOnly: number;
  readonly emptyOnly: number;
  /** Two-sided, exact (McNemar); `null` without pairs. */
  readonly pValue: number | null;
  /** Questions about both, and how many of the replies cannot be read. */
  readonly asked: number;
  readonly unreadable: number;
  readonly state: "tells" | "useless" | "unknown";
  /** Conclusion in words. */
  readonly text: string;
}

const LEVEL = 0.05;
/** 2 × 2^−6 is the first below the level: with fewer pairs apart nothing can be shown. */
const LEAST_PAIRS = 6;
/** A judge that cannot be read more often than not says nothing. */
const MOST_UNREADABLE = 0.5;

/** What is judged, in words. */
interface Words {
  readonly things: string;
  /** A pair of controls, in one of them. */
  readonly one: string;
  met(ceiling: string, floor: string): string;
}

const WORDS = {
  marks: {
    things: "solutions",
    one: "mark was read both of a right solution and of an empty one",
    met: (ceiling, floor) => `it gives right solutions ${ceiling} of the points on average, empty ones ${floor}`,
  },
  rubrics: {
    things: "rubrics",
    one: "rubric was read both of a right solution and of an empty one",
    met: (ceiling, floor) => `it finds ${ceiling} of the rubrics met by right solutions, ${floor} by empty ones`,
  },
  plans: {
    things: "choices",
    one: "choice was read both with what is wanted and with nothing to change",
    met: (ceiling, floor) =>
      `as a plan among six it chooses what is wanted in ${ceiling}, to change nothing in ${floor}`,
  },
} as const satisfies Record<string, Words>;

/** Kinds of judgement. */
type Judged = keyof typeof WORDS;

/**
 * Contrast of a judge's scores for right solutions and for empty ones; `null`: it was asked about neither.
 * @param kind what is judged; absent: marks where there are any, else rubrics
 */
export function judgeControl(label: string, records: readonly RatingRecord[], kind?: Judged): JudgeControl | null {
  const asked = records.filter(
    ({ agent, status }) =>
      [goldAgent.name, noopAgent.name].includes(agent) && status !== "not_asked" && status !== "lost",
  );
  if (asked.length === 0) return null;
  const gold = positiveScores(asked, goldAgent.name);
  const empty = positiveScores(asked, noopAgent.name);
  const keys = [...gold.keys()].filter((key) => empty.has(key));
  const isMarked = asked.some(({ scale }) => scale === "points");
  const lead = keys.map((key) => (gold.get(key) ?? 0) - (empty.get(key) ?? 0));
  const unreadable = asked.filter(({ status }) => status === "unreadable").length;
  const found = {
    ceiling: isMarked ? meanOf(gold) : shareOf(gold),
    floor: isMarked ? meanOf(empty) : shareOf(empty),
    pairs: keys.length,
    rightOnly: lead.filter((difference) => difference > 0).length,
    emptyOnly: lead.filter((difference) => difference < 0).length,
    asked: asked.length,
    unreadable,
  };
  const pValue = keys.length === 0 ? null : mcNemarExact(found.rightOnly, found.emptyOnly);
  return {
    ...found,
    pValue,
    ...judgedJudge(label, { ...found, pValue }, WORDS[kind ?? (isMarked ? "marks" : "rubrics")]),
  };
}

/**
 * Scores by task and criterion, of positive ones alone: an empty solution has no faults either. Marks of one task go
 * together: their mean is one.
 */
function positiveScores(records: readonly RatingRecord[], agent: string): ReadonlyMap<string, number> {
  const own = records.filter((record) => record.agent === agent && record.polarity === "positive");
  // Marks are asked for in the same words under every condition: a task is one pair.
  const byTrial = groupBy(own, ({ task_id, condition, trial, scale }) =>
    JSON.stringify(scale === "points" ? [task_id] : [task_id, condition, trial]),
  );
  const scores = [...byTrial].flatMap(([trial, votes]) => {
    const opinions = opinionsOf(votes);
    const marks = opinions.filter(({ scale }) => scale === "points");
    const others = opinions.filter(({ scale }) => scale === null);
    const mark = { criterion: "marks", score: meanOrNull(marks.map(({ score }) => score)) };
    return [...others, mark].flatMap(({ criterion, score }) =>
      score === null ? [] : [[`${trial} ${criterion}`, score] as const],
    );
  });
  return new Map(scores);
}

function shareOf(scores: ReadonlyMap<string, number>): Estimate | null {
  return proportion([...scores.values()].filter((score) => score === 1).length, scores.size);
}

function meanOf(scores: ReadonlyMap<string, number>): Estimate | null {
  return tInterval([...scores.values()], SHARE);
}

type Found = Omit<JudgeControl, "state" | "text">;

function judgedJudge(label: string, found: Found, words: Words): Pick<JudgeControl, "state" | "text"> {
  const { ceiling, floor, asked, unreadable, pairs, pValue, rightOnly, emptyOnly } = found;
  const met = words.met(percent(ceiling), percent(floor));
  const useless = (why: string) => ({ state: "useless" as const, text: `The judge ${label} is useless: ${why}.` });
  if (unreadable > asked * MOST_UNREADABLE)
    return useless(`${unreadable} of its ${asked} replies about right and empty solutions cannot be read`);
  const unknown = (why: string) => ({
    state: "unknown" as const,
    text: `Whether the judge ${label} tells right from wrong is not known: ${why}.`,
  });
  if (pairs === 0) return unknown(`no ${words.one}`);
  if (rightOnly <= emptyOnly) return useless(`${met}, so it does not tell one from the other`);
  const apart = rightOnly + emptyOnly;
  if (apart < LEAST_PAIRS) return unknown(`${met}; ${apart} of ${pairs} ${words.things} apart are too few to tell`);
  if (pValue === null || pValue >= LEVEL) return useless(`${met}, no more apart than by chance`);
  return { state: "tells", text: `The judge ${label} tells right from wrong: ${met}.` };
}

function percent(share: Estimate | null): string {
  return numberText(share?.value ?? null, "fraction");
}

/** Share of equal replies of a judge that was asked several times about the same; `null`: it was asked once. */
export function selfAgreement(records: readonly RatingRecord[]): Unanimity | null {
  const asked = ratingsSaid(records).filter(({ status }) => status !== "not_asked");
  const byQuestion = groupBy(asked, ({ agent, task_id, condition, trial, criterion_id }) =>
    JSON.stringify([agent, task_id, condition, trial, criterion_id]),
  );
  const votes = [...byQuestion.values()].map((own) => own.map(({ score }) => (score === null ? null : String(score))));
  const found = unanimity(votes);
  return found.n === 0 ? null : found;
}

/** Notice that says what a judge is worth. */
export function worthNotice({ state, text }: Pick<JudgeControl, "state" | "text">): Block {
  return notice(({ tells: "good", useless: "bad", unknown: "warning" } as const)[state], text);
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

/** Two tosses of a coin are the same half of the time. */
const COIN = 0.5;

/** Good: all votes are shown to be the same more often than tosses of a coin, by the interval of their share. */
function againState(agreement: Unanimity | null): RealityFact["state"] {
  if (agreement === null) return "unknown";
  return (agreement.share?.low ?? 0) > COIN ? "good" : "doubtful";
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
      state: againState(agreement),
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
  if (againState(agreement) === "doubtful")
    return {
      mark,
      why: "a judge has a part in these scores whose votes are not shown to agree more often than a coin's.",
    };
  if (control?.state === "tells") return null;
  return { mark, why: "a judge has a part in these scores that was measured on too little to tell." };
}
