import { z } from "zod";
import type { ChoiceSymbol, Logprob, OptionIndex } from "../../../base/symbol.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import type { Answer } from "./answer.js";
import { type AnswerRecord, answerRecord } from "./answer-schema.js";
import { glanceAtAnswer, writtenRecord } from "./written-record.js";

/** The answer as one line of JSON, without the line end. */
export function encodeAnswer(answer: Answer): string {
  const { outcome } = answer;
  const chosen = outcome.status === "chosen" ? outcome : null;
  const record: z.input<typeof answerRecord> = {
    kind: "answer",
    question_index: answer.questionIndex,
    task: answer.task,
    difficulty: answer.difficulty,
    // Left out of the line where it is undefined.
    ablation: answer.ablation,
    example_id: answer.exampleId,
    language: answer.language,
    change_type: answer.changeType,
    permutation_index: answer.permutationIndex,
    permutation: answer.permutation,
    correct_symbol: answer.correctSymbol,
    status: outcome.status,
    chosen_symbol: chosen?.chosenSymbol ?? null,
    chosen_option: chosen?.chosenOption ?? null,
    margin: chosen?.margin ?? null,
    reason: outcome.status === "undecided" ? outcome.reason : null,
    failure: outcome.status === "failed" ? outcome.failure : null,
    detail: outcome.status === "failed" ? outcome.detail : null,
    logprobs: Object.fromEntries(answer.logprobs.map(({ symbol: name, logprob }) => [name, logprob])),
    symbol_mass: answer.symbolMass,
    extraction: answer.extraction,
    prompt_tokens: answer.promptTokens,
    cached_tokens: answer.cachedTokens,
    duration_ms: Math.round(answer.durationMs * 1000) / 1000,
    prompt_sha256: answer.promptSha256,
  };
  return JSON.stringify(record);
}

/**
 * The answer of a journal line.
 * @throws Error saying what is wrong with the line
 */
export function decodeAnswer(line: string): Answer {
  const record = writtenRecord(line) ?? parsedRecord(line);
  const answer: Answer = {
    questionIndex: record.question_index,
    task: record.task,
    difficulty: record.difficulty,
    exampleId: record.example_id,
    language: record.language,
    changeType: record.change_type,
    permutationIndex: record.permutation_index,
    permutation: record.permutation,
    correctSymbol: record.correct_symbol,
    outcome: outcomeOf(record),
    logprobs: Object.entries(record.logprobs).map(([name, logprob]) => ({
      symbol: name as ChoiceSymbol,
      logprob: logprob as Logprob | null,
    })),
    symbolMass: record.symbol_mass,
    extraction: record.extraction,
    promptTokens: record.prompt_tokens,
    cachedTokens: record.cached_tokens,
    durationMs: record.duration_ms,
    promptSha256: record.prompt_sha256,
  };
  return record.ablation === undefined ? answer : { ...answer, ablation: record.ablation };
}

function parsedRecord(line: string): AnswerRecord {
  const parsed = answerRecord.safeParse(JSON.parse(line));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

function outcomeOf(record: AnswerRecord): Answer["outcome"] {
  if (record.status === "failed") {
    return { status: "failed", failure: record.failure ?? "unknown", detail: record.detail ?? "" };
  }
  if (record.status === "undecided") return { status: "undecided", reason: record.reason ?? "unknown_symbol" };
  const { chosen_symbol: chosenSymbol, chosen_option: option, margin } = record;
  if (chosenSymbol === null || option === null) throw new Error("expected chosen_symbol and chosen_option, found null");
  const chosenOption = option as OptionIndex;
  return { status: "chosen", chosenSymbol, chosenOption, correct: chosenOption === 0, margin };
}

/** The journal of answers: a question has one an order. */
export const ANSWER_JOURNAL: FolderCodec<Answer> = {
  file: "answers.jsonl",
  kind: "answers",
  journal: "the answers of a run",
  record: "an answer of a run",
  onDamage: "Remove that line to ask its question again.",
  version1: "record",
  encode: encodeAnswer,
  decode: decodeAnswer,
  placeOf: ({ questionIndex, permutationIndex }) => ({ item: questionIndex, place: permutationIndex }),
  isFailed: ({ outcome }) => outcome.status === "failed",
  glance: glanceAtAnswer,
};
