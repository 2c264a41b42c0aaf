/** The library behind the command line: what `probe` does is callable. */

export type { DataProblem } from "./dataset/problem.js";
export { type DatasetLine, readDataset } from "./dataset/read.js";
export type { Selection } from "./dataset/select.js";
export type { Answer, AnswerOutcome } from "./domain/answer.js";
export { ProbeError, type ProbeErrorCode } from "./domain/errors.js";
export type { ChangeType, Difficulty, Example } from "./domain/example.js";
export type { Language } from "./domain/language.js";
export type { ProbeDefinition, Question } from "./domain/question.js";
export { type QuestionScore, scoreQuestion } from "./metric/question-score.js";
export type { SummaryRow } from "./metric/summary.js";
export { loadAliases } from "./model/aliases.js";
export type { Model, ModelProvider, OpenModelOptions } from "./model/model.js";
export { openModel, type ResolvedModel, resolveModel } from "./model/registry.js";
export { readJournal } from "./result/journal.js";
export { type RunFile, readRunFile } from "./result/run-file.js";
export { previewRun, type RunPreview } from "./run/dry-run.js";
export type { RunRequest } from "./run/request.js";
export { type RunObserver, type RunOutcome, type RunSession, runProbes } from "./run/run-probes.js";
export { type ScoredRun, scoreRun } from "./run/score.js";
