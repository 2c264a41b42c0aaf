import { join } from "node:path";
import { mean } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { ownText } from "../../../base/text.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { placeOf } from "../answer/answer.js";
import { THOUGHT_JOURNAL, type ThoughtRecord } from "../answer/thoughts.js";
import type { QuestionScore } from "../metric/question-score.js";
import { type AnswerTrace, type TraceScore, traceOfAnswer } from "../metric/trace-score.js";
import { type RunFile, runFingerprintOf } from "../record/run-file.js";
import { questionName } from "./form-floors.js";

/**
 * Scores with the answer along the thoughts before them, where the run traced it (`--trace-thoughts`). Memory: some hundred
 * bytes an answer.
 * @throws ProbeError `bad_input` when the journal of thoughts is damaged
 */
export async function withTraces(
  folder: string,
  run: RunFile,
  scores: readonly QuestionScore[],
): Promise<readonly QuestionScore[]> {
  if (run.parameters["trace_thoughts"] === undefined) return scores;
  const found = await readTraces(folder, run);
  return scores.map((score) => {
    const trace = found.get(questionName(score));
    return trace === undefined ? score : { ...score, trace };
  });
}

async function readTraces(folder: string, run: RunFile): Promise<ReadonlyMap<string, TraceScore>> {
  // The last of a place counts: an answer that a kill lost was thought about again.
  const answers = new Map<string, { readonly question: string; readonly trace: AnswerTrace }>();
  for await (const { record } of journalOf(folder, run)) {
    const trace = traceOf(record);
    const { item, place } = placeOf(record);
    if (trace !== null) answers.set(`${item}/${place}`, { question: questionName(record), trace });
  }
  const byQuestion = groupBy([...answers.values()], ({ question }) => question);
  return new Map([...byQuestion].map(([name, own]) => [name, together(own.map(({ trace }) => trace))]));
}

function journalOf(folder: string, run: RunFile) {
  const identity = { fingerprint: runFingerprintOf(run) };
  return readJournal(join(folder, THOUGHT_JOURNAL.file), THOUGHT_JOURNAL, { identity });
}

/** Most characters of the thoughts before one answer that are shown. */
const MAX_SHOWN = 600;

/** The beginning of the thoughts before an answer: index of its order, of its repeat, text, characters left out. */
export type ShownThoughts = readonly [number, number, string, number];

/**
 * The beginnings of the thoughts before the answers, by `questionName`, in the order of orders and repeats. Server replies
 * are redacted before they are recorded: what the journal has can be shown.
 * @param room characters that all may have together: from there on, only lengths are told
 * @throws ProbeError `bad_input` when the journal of thoughts is damaged
 */
export async function readThoughts(
  folder: string,
  run: RunFile,
  room: number,
): Promise<ReadonlyMap<string, readonly ShownThoughts[]>> {
  // The last of a place counts, as for traces.
  const answers = new Map<string, { readonly question: string; readonly thoughts: ShownThoughts }>();
  let left = room;
  for await (const { record } of journalOf(folder, run)) {
    const { permutationIndex, repeat = 0, text } = record;
    if (text === null || text === "") continue;
    const { item, place } = placeOf(record);
    // Half a character, which a cut may leave, is none.
    const shown = ownText(text.slice(0, Math.min(MAX_SHOWN, left)).replace(/[\ud800-\udbff]$/, ""));
    left -= shown.length;
    const thoughts = [permutationIndex, repeat, shown, text.length - shown.length] as const;
    answers.set(`${item}/${place}`, { question: questionName(record), thoughts });
  }
  const ordered = [...answers.values()].sort(({ thoughts: a }, { thoughts: b }) => a[0] - b[0] || a[1] - b[1]);
  const byQuestion = groupBy(ordered, ({ question }) => question);
  return new Map([...byQuestion].map(([name, own]) => [name, own.map(({ thoughts }) => thoughts)]));
}

function traceOf({ trace, tokens }: ThoughtRecord): AnswerTrace | null {
  return trace === undefined || trace.length === 0 ? null : traceOfAnswer(trace, tokens);
}

function together(traces: readonly AnswerTrace[]): TraceScore {
  const leftRight = new Map<string, number>();
  for (const { leftRightFor } of traces) {
    if (leftRightFor !== null) leftRight.set(leftRightFor, (leftRight.get(leftRightFor) ?? 0) + 1);
  }
  const parts = Math.max(...traces.map(({ isRight }) => isRight.length));
  return {
    answers: traces.length,
    settledAt: mean(traces.map(({ settledAt }) => settledAt)),
    switches: traces.reduce((sum, { switches }) => sum + switches, 0),
    leftRight,
    rightAt: Array.from({ length: parts }, (_, part) =>
      mean(traces.map(({ isRight }) => Number(rightAfter(isRight, part, parts)))),
    ),
  };
}

/** Right after a part; of thoughts that had fewer parts (of few tokens), after the one that is as far along. */
function rightAfter(isRight: readonly boolean[], part: number, parts: number): boolean {
  return isRight[Math.ceil(((part + 1) * isRight.length) / parts) - 1] ?? false;
}
