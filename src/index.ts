/** The library behind the command line: what `probe` does is callable. */

export type { Brand } from "./base/brand.js";
export { ProbeError, type ProbeErrorCode } from "./base/errors.js";
export type { Language } from "./base/language.js";
export type { ChoiceSymbol, Logprob, OptionIndex } from "./base/symbol.js";
export type { Alias } from "./model/aliases.js";
export { loadAliases } from "./model/aliases.js";
export { checkModel } from "./model/check/check-model.js";
export type { CanaryMeasures } from "./model/check/judge.js";
export type { CheckedWay, CheckReport } from "./model/check/report.js";
export type {
  Capability,
  Completion,
  CompletionKey,
  CompletionReply,
  CompletionRequest,
  ConnectionOptions,
  Embedding,
  Extraction,
  FailedReply,
  FailureKind,
  IndexedReply,
  Model,
  ModelIdentity,
  ModelProvider,
  OpenModelOptions,
  PromptMode,
  RequestKey,
  SymbolReply,
  SymbolRequest,
  SymbolScore,
  TokenReply,
  TokenScores,
} from "./model/model.js";
export type { Price } from "./model/prices.js";
export { openModel, type ResolvedModel, resolveModel } from "./model/registry.js";
export type { CiCheck, CiCheckResult, CiReport, CiSuite } from "./report/ci-report.js";
export { junitXml } from "./report/junit.js";
export type { GaveUp } from "./run/failure-guard.js";
export type { Agreement } from "./stats/agreement/kappa.js";
export type { Interval } from "./stats/cluster-bootstrap.js";
export type { Distribution } from "./stats/distribution.js";
export type { Estimate } from "./stats/interval.js";
export type { FormPreview } from "./suites/codereviewqa/ask/dry-run.js";
export { previewRun, type RunPreview } from "./suites/codereviewqa/ask/dry-run.js";
export { newSession, type RunOptions } from "./suites/codereviewqa/ask/new-session.js";
export type { RunRequest } from "./suites/codereviewqa/ask/request.js";
export { type RunObserver, type RunOutcome, type RunSession, runProbes } from "./suites/codereviewqa/ask/run-probes.js";
export { type ScoredRun, scoreRun } from "./suites/codereviewqa/ask/score.js";
export type { AuditFile } from "./suites/codereviewqa/audit/audit-file.js";
export type { AuditRequest } from "./suites/codereviewqa/audit/request.js";
export type { AuditObserver, AuditResult } from "./suites/codereviewqa/audit/run-audit.js";
export { type AuditOutcome, type AuditSession, runAudit } from "./suites/codereviewqa/audit/run-audit.js";
export type { BuildObserver, BuildRequest } from "./suites/codereviewqa/build/build-dataset.js";
export { type BuildOutcome, type BuildSession, buildDataset } from "./suites/codereviewqa/build/build-dataset.js";
export type { ClOrder } from "./suites/codereviewqa/build/build-record.js";
export type { BuildResult } from "./suites/codereviewqa/build/build-result.js";
export type { SurrogateRoles } from "./suites/codereviewqa/build/surrogate.js";
export type { AdjustedRow, RunComparison, RunDifference } from "./suites/codereviewqa/compare/compare.js";
export { type ComparisonReport, type ComparisonRequest, compareRuns } from "./suites/codereviewqa/compare/compare.js";
export type { GenerationResult } from "./suites/codereviewqa/compare/draft-row.js";
export type { OnExample, PairedMeans } from "./suites/codereviewqa/compare/paired-means.js";
export type {
  GenerationRow,
  PairedRow,
  QuestionRow,
} from "./suites/codereviewqa/compare/paired-row.js";
export type { DropReason } from "./suites/codereviewqa/curate/filter.js";
export { type Drop, findDrop } from "./suites/codereviewqa/curate/filter.js";
export type { ReviewIssue } from "./suites/codereviewqa/curate/filter-rules.js";
export type { CategoryAgreement, Conflict } from "./suites/codereviewqa/curate/kappa-compare.js";
export { type Comparison, compareDecisions } from "./suites/codereviewqa/curate/kappa-compare.js";
export type { Decision, ReviewHeader } from "./suites/codereviewqa/curate/review/decision.js";
export { type DecisionsFile, readDecisions } from "./suites/codereviewqa/curate/review/decisions-file.js";
export type { LanguageDraw, RepositoryDraw } from "./suites/codereviewqa/curate/sample.js";
export { type StratifiedSample, StratifiedSampler } from "./suites/codereviewqa/curate/sample.js";
export type { Funnel, LanguageCounts } from "./suites/codereviewqa/dataset/funnel.js";
export { type DatasetInspection, inspectDataset } from "./suites/codereviewqa/dataset/inspect.js";
export { type DataProblem, describeProblem } from "./suites/codereviewqa/dataset/problem.js";
export { type DatasetLine, readDataset } from "./suites/codereviewqa/dataset/read.js";
export type { Selection } from "./suites/codereviewqa/dataset/select.js";
export type { TripleForm } from "./suites/codereviewqa/dataset/triple.js";
export { readTriples, type Triple, type TripleLine } from "./suites/codereviewqa/dataset/triple.js";
export type { LeftOut } from "./suites/codereviewqa/describe/describe-reviews.js";
export { describeReviews, type ReviewDescription } from "./suites/codereviewqa/describe/describe-reviews.js";
export type { Statistic, StatisticName } from "./suites/codereviewqa/describe/statistics.js";
export type { Answer, AnswerOutcome, AnswerPlace } from "./suites/codereviewqa/example/answer.js";
export type { ChangeType, Difficulty, Distractors, Example, Location } from "./suites/codereviewqa/example/example.js";
export type {
  Generation,
  GenerationEnd,
  GenerationOutcome,
  GenerationPlace,
  GenerationStatus,
} from "./suites/codereviewqa/example/generation.js";
export type {
  ChoiceProbe,
  GenerationProbe,
  OpenQuestion,
  ProbeDefinition,
  Question,
  StemValues,
} from "./suites/codereviewqa/example/question.js";
export type { AcrOutcome, CellShare, FailureCell, FailureRow } from "./suites/codereviewqa/failures/cells.js";
export type { ChainName, ChainStep, RightShare } from "./suites/codereviewqa/failures/chain.js";
export type { ExampleOutcome, ProbeOutcome } from "./suites/codereviewqa/failures/example-outcome.js";
export type { FailureAnalysis, FormBinding } from "./suites/codereviewqa/failures/failures.js";
export { analyseFailures, type FailureReport, type FailureRequest } from "./suites/codereviewqa/failures/failures.js";
export type { FailureGroup, Grouping } from "./suites/codereviewqa/failures/groups.js";
export type { MatchName } from "./suites/codereviewqa/failures/match.js";
export type { AnswerChanges, ChangedAnswer, RunChanges } from "./suites/codereviewqa/flips/answer-changes.js";
export type { FlipsComparison, FlipsReport } from "./suites/codereviewqa/flips/flips.js";
export { compareForFlips, type FlipsOutcome, runFlips } from "./suites/codereviewqa/flips/flips.js";
export type { GitHubAccess } from "./suites/codereviewqa/import/github/client.js";
export {
  importRepository,
  type RepositoryImport,
  type RepositoryImportOutcome,
} from "./suites/codereviewqa/import/github/import-repository.js";
export { type HubAccess, hubAccess } from "./suites/codereviewqa/import/hub/access.js";
export { importFromHub } from "./suites/codereviewqa/import/hub/import-file.js";
export type { SourceFile } from "./suites/codereviewqa/import/hub/source-file.js";
export type { GitHubSource, HubSource, ImportSource } from "./suites/codereviewqa/import/source.js";
export { parseImportSource } from "./suites/codereviewqa/import/source.js";
export type { Token } from "./suites/codereviewqa/import/token.js";
export type { ContaminationMetric } from "./suites/codereviewqa/metric/contamination/metric-names.js";
export type { AuditForm } from "./suites/codereviewqa/metric/contamination/scored-set.js";
export type { StartMode } from "./suites/codereviewqa/metric/contamination/starting-points.js";
export type { ContaminationRow } from "./suites/codereviewqa/metric/contamination/summarise.js";
export type { Gate, GateMeasure } from "./suites/codereviewqa/metric/gate.js";
export type { MetricName } from "./suites/codereviewqa/metric/metric-names.js";
export { type QuestionScore, scoreQuestion } from "./suites/codereviewqa/metric/question-score.js";
export type { SummaryRow } from "./suites/codereviewqa/metric/summary-row.js";
export type { ComparableRun, StoredGeneration } from "./suites/codereviewqa/record/comparable-run.js";
export type { Recorded } from "./suites/codereviewqa/record/journals.js";
export { type LoadedRun, loadRun } from "./suites/codereviewqa/record/load-run.js";
export { type RunFile, readRunFile } from "./suites/codereviewqa/record/run-file.js";
export type { NamedRun, StoredQuestion, StoredRun } from "./suites/codereviewqa/record/stored-run.js";
export type { BelowThreshold } from "./suites/codereviewqa/report/ci/comparison-checks.js";
export { comparisonChecks } from "./suites/codereviewqa/report/ci/comparison-checks.js";
export { runChecks } from "./suites/codereviewqa/report/ci/run-checks.js";
export { compareText } from "./suites/codereviewqa/report/compare-table.js";
export type { ReportForm } from "./suites/codereviewqa/report/data/probe-forms.js";
export { comparisonMarkdown, runMarkdown } from "./suites/codereviewqa/report/github-summary.js";
export type { ReportRequest } from "./suites/codereviewqa/report/html/read-parts.js";
export type { LeaderboardRow, LeaderboardTable } from "./suites/codereviewqa/report/leaderboard.js";
export { leaderboardCsv, leaderboardMarkdown } from "./suites/codereviewqa/report/leaderboard-text.js";
export { makeReport, type Report } from "./suites/codereviewqa/report/make-report.js";
export { summaryText } from "./suites/codereviewqa/report/summary-table.js";
export type { FormVerdict } from "./suites/codereviewqa/report/verdict.js";
