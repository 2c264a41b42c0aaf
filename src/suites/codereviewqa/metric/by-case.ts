import { counted } from "../../../base/counted.js";
import { groupBy } from "../../../base/group-by.js";
import { clusteredProportion } from "../../../stats/clustered-proportion.js";
import { type Estimate, meanEstimate, proportion } from "../../../stats/interval.js";
import { clusteredMean } from "../../../stats/student/t-interval.js";
import type { CaseOf } from "../record/run-identity.js";
import type { QuestionScore } from "./question-score.js";

type Asked = Pick<QuestionScore, "exampleId">;

/** Questions by what they are one case of, those about hunks of one task together; `null`: each is a case of its own. */
export function questionCases<T extends Asked>(questions: readonly T[], caseOf: CaseOf | null): T[][] | null {
  if (caseOf === null) return null;
  const cases = [...groupBy(questions, ({ exampleId }) => caseOf(exampleId)).values()];
  return cases.length === questions.length ? null : cases;
}

/** The share of questions that count, with Wilson's interval; where several are one case, with that of clusters. */
export function shareByCase<T extends Asked>(
  questions: readonly T[],
  caseOf: CaseOf | null,
  counts: (question: T) => boolean,
): Estimate | null {
  const cases = questionCases(questions, caseOf);
  if (cases === null) return proportion(questions.filter(counts).length, questions.length);
  return clusteredProportion(clustersOf(cases, (question) => Number(counts(question))));
}

/** The mean of a value 0–1 over questions that have one, with its normal interval; where several are one case, the t interval over cases. */
export function meanByCase<T extends Asked>(
  questions: readonly T[],
  caseOf: CaseOf | null,
  value: (question: T) => number | null,
): Estimate | null {
  const known = questions.filter((question) => value(question) !== null);
  const cases = questionCases(known, caseOf);
  if (cases === null) return meanEstimate(known.flatMap((question) => value(question) ?? []));
  return clusteredMean(
    clustersOf(cases, (question) => value(question) ?? 0),
    { least: 0, most: 1 },
  );
}

function clustersOf<T>(cases: readonly (readonly T[])[], value: (question: T) => number) {
  return {
    sums: Float64Array.from(cases, (own) => own.reduce((sum, question) => sum + value(question), 0)),
    counts: Float64Array.from(cases, ({ length }) => length),
  };
}

/** What an interval was made by, for the note of a row. */
export function intervalNote(questions: readonly Asked[], caseOf: CaseOf | null): string {
  const cases = questionCases(questions, caseOf);
  if (cases === null) return "Wilson 95 % interval";
  return `Wilson 95 % interval at the effective number of questions, over ${counted(cases.length, "tasks")}: questions are about hunks of these`;
}
