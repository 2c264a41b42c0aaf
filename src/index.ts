/** The library behind the command line: what `probe` does is callable. */

// Failures for a reason that the caller can mend
export { ProbeError, type ProbeErrorCode } from "./base/errors.js";

// The terms that all the rest is said in
export type { Language } from "./base/language.js";
export type { ChoiceSymbol, Logprob, OptionIndex } from "./base/symbol.js";
// Compare runs, of whatever suite
// Score a run again, of whatever suite
export {
  type ComparisonReport,
  type ComparisonRequest,
  compareRuns,
  mergeRuns,
  type RunComparison,
  scoreRun,
} from "./cli/library.js";
// Read a dataset, validate, filter, sample and describe it
export { type Drop, type DropReason, findDrop } from "./dataset/curate/review-filter.js";
export { describeReviews, type ReviewDescription } from "./dataset/curate/review-statistics.js";
export { type StratifiedSample, StratifiedSampler } from "./dataset/curate/stratified-sample.js";
export type { Selection } from "./dataset/dataset-file.js";
export { type DatasetInspection, type DatasetLine, inspectDataset, readDataset } from "./dataset/dataset-file.js";
export type { ChangeType, Difficulty, Example } from "./dataset/example.js";
export { type DataProblem, describeProblem } from "./dataset/problem.js";
export { readTriples, type Triple, type TripleLine } from "./dataset/triple.js";
// Build a dataset
export {
  type BuildObserver,
  type BuildOutcome,
  type BuildRequest,
  type BuildSession,
  buildDataset,
} from "./distractors/build-dataset.js";
export type { BuildResult } from "./distractors/build-files.js";
export type { SurrogateRoles } from "./distractors/surrogate.js";
export type { ConnectionOptions, PromptMode } from "./model/model.js";
// A model by its name, as on the command line, for what takes one
export { type Alias, loadAliases } from "./model/model-aliases.js";
export { type ResolvedModel, resolveModel } from "./model/resolved-model.js";
// Write a probe of one's own
export type { OwnProbe } from "./question/own-probe.js";
export type { RunObserver, RunOutcome } from "./run/run-suite.js";
export type { ScoredRun } from "./run/score-folder.js";
export type { Answer } from "./suites/codereviewqa/answer/answer.js";
export type { Generation } from "./suites/codereviewqa/answer/generation.js";
export type { RunRequest } from "./suites/codereviewqa/ask/count-plan.js";
// Run a model, or go on with a run that was stopped; see what a run would ask
export { previewRun, type RunPreview } from "./suites/codereviewqa/ask/preview/dry-run.js";
// Audit contamination
export type { AuditRequest } from "./suites/codereviewqa/audit/audit-file.js";
export {
  type AuditObserver,
  type AuditOutcome,
  type AuditResult,
  type AuditSession,
  runAudit,
} from "./suites/codereviewqa/audit/run-audit.js";
// Failures where the revision goes wrong
export {
  analyseFailures,
  type FailureAnalysis,
  type FailureReport,
  type FailureRequest,
} from "./suites/codereviewqa/failures/failures.js";
export type { QuestionScore } from "./suites/codereviewqa/metric/question-score.js";
export type { SummaryRow } from "./suites/codereviewqa/metric/summary-row.js";
export type { RunFile } from "./suites/codereviewqa/record/run-file.js";
export { makeReport, type Report } from "./suites/codereviewqa/report/make-report.js";
// Write the report page
export type { ReportRequest } from "./suites/codereviewqa/report/page/page-parts.js";
export {
  type LoadedRun,
  loadRun,
  newSession,
  type RunOptions,
  type RunSession,
  runProbes,
} from "./suites/codereviewqa/suite/review-library.js";
// Judgements of scores, and verdicts, which comparison, CI reports and leaderboards read
export type { Judgement } from "./verdict/judgement.js";
export type { RunVerdicts, Verdict, VerdictForm } from "./verdict/verdict.js";
