import { mean } from "simple-statistics";
import type { Opinion } from "../../../judge/opinion.js";
import type { Workflow } from "../task/task.js";

/** What a judge's opinions on the rubrics of a task come to. */
export interface RubricScore {
  /** All must-haves that can be read pass; `null`: none can. */
  readonly pass: boolean | null;
  /** By the released rule of the workflow. */
  readonly passPublished: boolean;
  /** Share passed of those that can be read; `null`: none can. */
  readonly agg: number | null;
}

type Verdicts = readonly Pick<Opinion, "importance" | "score" | "scorePublished">[];

/**
 * @param opinions on rubrics alone: headings are none
 * @param listed rubrics of the task's file, headings too
 */
export function rubricScore(workflow: Workflow, opinions: Verdicts, listed: number): RubricScore {
  const read = opinions.filter(({ score }) => score !== null);
  const musts = read.filter(isMust);
  return {
    pass: musts.length === 0 ? null : musts.every(({ score }) => score === 1),
    passPublished: PUBLISHED[workflow](opinions, listed),
    agg: read.length === 0 ? null : mean(read.map(({ score }) => score ?? 0)),
  };
}

function isMust({ importance }: Verdicts[number]): boolean {
  return importance === "must have";
}

/** The released rules, with their traps. */
const PUBLISHED: Readonly<Record<Workflow, (opinions: Verdicts, listed: number) => boolean>> = {
  // Reads the importance where the data have none: every rubric is a must-have.
  qa: (opinions) => somePass(readable(opinions)),
  // Passes without any must-have that can be read.
  tw: (opinions) => opinions.length > 0 && readable(opinions).filter(isMust).every(passes),
  // Passes without any rubric at all, not with headings alone.
  rf: (opinions, listed) => listed === 0 || somePass(readable(opinions).filter(isMust)),
};

function readable(opinions: Verdicts): Verdicts {
  return opinions.filter(({ scorePublished }) => scorePublished !== null);
}

function somePass(opinions: Verdicts): boolean {
  return opinions.length > 0 && opinions.every(passes);
}

function passes({ scorePublished }: Verdicts[number]): boolean {
  return scorePublished === 1;
}
