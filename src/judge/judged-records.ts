import { groupBy } from "../base/grouping.js";
import type { StoredRun } from "../run/suite.js";
import { TRIALS, type TrialRecord } from "../trial/trial-records.js";
import { type JudgedRun, questionsOf } from "./judged-run.js";
import type { Judging } from "./judging.js";
import { opinionsOf } from "./opinion.js";
import { VERDICTS, type VerdictRecord } from "./rating-records.js";

/** All verdicts of a run, in its order. */
export async function verdictsOf(stored: StoredRun<JudgedRun>): Promise<VerdictRecord[]> {
  const records: VerdictRecord[] = [];
  for await (const own of stored.records(VERDICTS)) records.push(...own);
  return records;
}

/** Verdicts on the trials that were made: how many there are to be, and how many of them are not there. */
export async function verdictCounts(
  stored: StoredRun<JudgedRun>,
  verdicts: readonly VerdictRecord[],
  votes: number,
): Promise<{ readonly planned: number; readonly missing: number }> {
  const { run } = stored;
  const byTrial = groupBy(verdicts, keyOf);
  const counts = { planned: 0, missing: 0 };
  for await (const own of stored.records(TRIALS)) {
    for (const record of own.filter(({ status }) => status === "graded")) {
      const planned = questionsOf(run, record.item, votes);
      counts.planned += planned;
      counts.missing += planned - (byTrial.get(keyOf(record))?.length ?? 0);
    }
  }
  return counts;
}

/** The run with its trials as the judge scored them. */
export function judgedRun(
  stored: StoredRun<JudgedRun>,
  judging: Pick<Judging, "scores">,
  verdicts: readonly VerdictRecord[],
): StoredRun<JudgedRun> {
  const byTrial = groupBy(verdicts, keyOf);
  return {
    ...stored,
    async *records(codec) {
      if (codec.file !== TRIALS.file) {
        yield* stored.records(codec);
        return;
      }
      for await (const own of stored.records(TRIALS))
        yield own.map((record) =>
          codec.decode(TRIALS.encode(judgedRecord(record, stored.run, judging, byTrial.get(keyOf(record)) ?? []))),
        );
    },
  };
}

function keyOf({ item, trial }: Pick<TrialRecord, "item" | "trial">): string {
  return `${item} ${trial}`;
}

/** A trial with all its scores; without any where the judge could not be asked all there is to ask. */
function judgedRecord(
  record: TrialRecord,
  run: JudgedRun,
  judging: Pick<Judging, "scores">,
  verdicts: readonly VerdictRecord[],
): TrialRecord {
  if (record.status !== "graded") return record;
  if (run.judge === null) return { ...record, scores: { ...judging.scores(record, null) } };
  const lost = verdicts.find(({ status }) => status === "lost");
  const isWhole = verdicts.length === questionsOf(run, record.item, run.judge.votes);
  if (lost === undefined && isWhole) return { ...record, scores: { ...judging.scores(record, opinionsOf(verdicts)) } };
  const detail = lost === undefined ? "not judged yet" : `the judge could not be asked: ${lost.detail ?? ""}`;
  return { ...record, status: "grader_failed", scores: {}, detail };
}
