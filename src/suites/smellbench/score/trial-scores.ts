import { z } from "zod";
import type { Opinion } from "../../../judge/opinion.js";
import type { ScoreValue } from "../../../trial/adapter.js";
import type { TrialRecord } from "../../../trial/records.js";
import { DIFFICULTIES, SMELL_NAMES } from "../case/smells.js";
import { JUDGED } from "./columns.js";

const measuredSchema = z.object({
  /** What tables are grouped by besides the project. */
  smell: z.enum(SMELL_NAMES),
  difficulty: z.enum(DIFFICULTIES),
  tpr: z.boolean(),
  la: z.boolean().nullable(),
  la_file: z.boolean(),
});

/** What a trial came to before anybody judged it. */
export type Measured = z.infer<typeof measuredSchema>;

/** As the journal of trials has it. */
export function measuredScores(measured: Measured): Readonly<Record<string, ScoreValue>> {
  return { ...measured };
}

/** What the journal of trials has of a trial. */
export function measuredIn({ scores }: Pick<TrialRecord, "scores">): Measured {
  return measuredSchema.parse(scores);
}

/** All scores of a trial. @param opinions `null`: nobody judged */
export function trialScores(
  record: Pick<TrialRecord, "scores">,
  opinions: readonly Opinion[] | null,
): Record<string, ScoreValue> {
  const measured = measuredIn(record);
  const { tpr, la } = measured;
  const scoreOf = (name: string) => opinions?.find(({ criterion }) => criterion === name)?.score ?? null;
  return {
    ...measured,
    ...Object.fromEntries(JUDGED.map((name) => [name, scoreOf(name)])),
    // Not if one does not hold; not known only where that is.
    tpr_and_la: tpr && la !== false ? la : false,
  };
}
