/** The library behind the command line: what `probe` does is callable. */

export type { AuditFile } from "./audit/audit-file.js";
export type { AuditRequest } from "./audit/request.js";
export type { AuditObserver, AuditResult } from "./audit/run-audit.js";
export { type AuditOutcome, type AuditSession, runAudit } from "./audit/run-audit.js";
export type { BuildObserver, BuildRequest } from "./build/build-dataset.js";
export { type BuildOutcome, type BuildSession, buildDataset } from "./build/build-dataset.js";
export type { ClOrder } from "./build/build-record.js";
export type { BuildResult } from "./build/build-result.js";
export type { SurrogateRoles } from "./build/surrogate.js";
export type { DropReason } from "./curate/filter.js";
export { type Drop, findDrop } from "./curate/filter.js";
export type { ReviewIssue } from "./curate/filter-rules.js";
export type { Agreement } from "./curate/kappa.js";
export type { CategoryAgreement, Conflict } from "./curate/kappa-compare.js";
export { type Comparison, compareDecisions } from "./curate/kappa-compare.js";
export type { Decision, ReviewHeader } from "./curate/review/decision.js";
export { type DecisionsFile, readDecisions } from "./curate/review/decisions-file.js";
export type { LanguageDraw, RepositoryDraw } from "./curate/sample.js";
export { type StratifiedSample, StratifiedSampler } from "./curate/sample.js";
export type { Funnel, LanguageCounts } from "./dataset/funnel.js";
export { type DatasetInspection, inspectDataset } from "./dataset/inspect.js";
export { type DataProblem, describeProblem } from "./dataset/problem.js";
export { type DatasetLine, readDataset } from "./dataset/read.js";
export type { Selection } from "./dataset/select.js";
export type { TripleForm } from "./dataset/triple.js";
export { readTriples, type Triple, type TripleLine } from "./dataset/triple.js";
export type { LeftOut } from "./describe/describe-reviews.js";
export { describeReviews, type ReviewDescription } from "./describe/describe-reviews.js";
export type { Distribution } from "./describe/distribution.js";
export type { Statistic, StatisticName } from "./describe/statistics.js";
export type { Answer, AnswerOutcome, AnswerPlace } from "./domain/answer.js";
export type { Brand } from "./domain/brand.js";
export { ProbeError, type ProbeErrorCode } from "./domain/errors.js";
export type { ChangeType, Difficulty, Distractors, Example, Location } from "./domain/example.js";
export type {
  Generation,
  GenerationEnd,
  GenerationOutcome,
  GenerationPlace,
  GenerationStatus,
} from "./domain/generation.js";
export type { Language } from "./domain/language.js";
export type {
  ChoiceProbe,
  GenerationProbe,
  OpenQuestion,
  ProbeDefinition,
  Question,
  StemValues,
} from "./domain/question.js";
export type { ChoiceSymbol, Logprob, OptionIndex } from "./domain/symbol.js";
export type { GitHubAccess } from "./import/github/client.js";
export {
  importRepository,
  type RepositoryImport,
  type RepositoryImportOutcome,
} from "./import/github/import-repository.js";
export { type HubAccess, hubAccess } from "./import/hub/access.js";
export { importFromHub } from "./import/hub/import-file.js";
export type { SourceFile } from "./import/hub/source-file.js";
export type { GitHubSource, HubSource, ImportSource } from "./import/source.js";
export { parseImportSource } from "./import/source.js";
export type { Token } from "./import/token.js";
export type { ContaminationMetric } from "./metric/contamination/metric-names.js";
export type { AuditForm } from "./metric/contamination/scored-set.js";
export type { StartMode } from "./metric/contamination/starting-points.js";
export type { ContaminationRow } from "./metric/contamination/summarise.js";
export type { AcrOutcome, CellShare, FailureCell, FailureRow } from "./metric/failures/cells.js";
export type { ChainName, ChainStep, RightShare } from "./metric/failures/chain.js";
export type { ExampleOutcome, ProbeOutcome } from "./metric/failures/example-outcome.js";
export type { FailureGroup, Grouping } from "./metric/failures/groups.js";
export type { MatchName } from "./metric/failures/match.js";
export type { Gate, GateMeasure } from "./metric/gate.js";
export type { Estimate } from "./metric/interval.js";
export type { MetricName } from "./metric/metric-names.js";
export type { Interval } from "./metric/paired/cluster-bootstrap.js";
export type { GenerationResult } from "./metric/paired/draft-row.js";
export type { OnExample, PairedMeans } from "./metric/paired/paired-means.js";
export type {
  GenerationRow,
  PairedRow,
  QuestionRow,
} from "./metric/paired/paired-row.js";
export { type QuestionScore, scoreQuestion } from "./metric/question-score.js";
export type { SummaryRow } from "./metric/summary-row.js";
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
export type { CiCheck, CiCheckResult, CiReport, CiSuite } from "./report/ci/ci-report.js";
export type { BelowThreshold } from "./report/ci/comparison-checks.js";
export { comparisonChecks } from "./report/ci/comparison-checks.js";
export { runChecks } from "./report/ci/run-checks.js";
export { compareText } from "./report/compare-table.js";
export type { ReportForm } from "./report/data/probe-forms.js";
export { comparisonMarkdown, runMarkdown } from "./report/github-summary.js";
export type { ReportRequest } from "./report/html/read-parts.js";
export { junitXml } from "./report/junit.js";
export type { LeaderboardRow, LeaderboardTable } from "./report/leaderboard.js";
export { leaderboardCsv, leaderboardMarkdown } from "./report/leaderboard-text.js";
export { makeReport, type Report } from "./report/make-report.js";
export { summaryText } from "./report/summary-table.js";
export type { FormVerdict } from "./report/verdict.js";
export { type RunFile, readRunFile } from "./result/run-file.js";
export type { AnswerChanges, ChangedAnswer, RunChanges } from "./run/answer-changes.js";
export type { ComparableRun, StoredGeneration } from "./run/comparable-run.js";
export type { AdjustedRow, RunComparison, RunDifference } from "./run/compare.js";
export { type ComparisonReport, type ComparisonRequest, compareRuns } from "./run/compare.js";
export type { FormPreview } from "./run/dry-run.js";
export { previewRun, type RunPreview } from "./run/dry-run.js";
export type { GaveUp } from "./run/failure-guard.js";
export type { FailureAnalysis, FormBinding } from "./run/failures.js";
export { analyseFailures, type FailureReport, type FailureRequest } from "./run/failures.js";
export type { FlipsComparison, FlipsReport } from "./run/flips.js";
export { compareForFlips, type FlipsOutcome, runFlips } from "./run/flips.js";
export type { Recorded } from "./run/journals.js";
export { type LoadedRun, loadRun } from "./run/load-run.js";
export { newSession, type RunOptions } from "./run/new-session.js";
export type { RunRequest } from "./run/request.js";
export { type RunObserver, type RunOutcome, type RunSession, runProbes } from "./run/run-probes.js";
export { type ScoredRun, scoreRun } from "./run/score.js";
export type { NamedRun, StoredQuestion, StoredRun } from "./run/stored-run.js";
