/** Building blocks of a suite of one's own, and the start of the command line with it. */

export { fileTools } from "./agent/file-tools.js";
export { defineTool, finishTool } from "./agent/tool.js";
export { ProbeError } from "./base/errors.js";
export { sha256 } from "./base/sha256.js";
export { runCli } from "./cli/program.js";
export { type Command, command } from "./console/command.js";
export { type Console, processConsole } from "./console/console.js";
export { seedOption } from "./console/model-options.js";
export type { Option, OptionTable, OptionValues } from "./console/option.js";
export {
  choiceOption,
  countOption,
  listOption,
  optionalPositional,
  optionalPositionals,
  positional,
  positionals,
  switchOption,
  textOption,
} from "./console/option-kinds.js";
export type { Model } from "./model/model.js";
export type { CompletionReply, CompletionRequest } from "./model/requests.js";
export type { Block } from "./report/block.js";
export { type RunRecord, runRecordSchema } from "./run/run-record.js";
export type {
  AnySuite,
  OpenJournal,
  Performance,
  PlannedJournal,
  StoredRun,
  Suite,
  SuitePlan,
  SuiteRequest,
  SuiteScore,
  WriteTable,
} from "./run/suite.js";
export type { SuiteCommand, SuiteEntry, TrustPlace } from "./run/suite-entry.js";
export { type Estimate, proportion } from "./stats/interval.js";
export type { FolderCodec } from "./store/journal/codec.js";
export { type Column, columnsOf, type Table, type TableRows } from "./store/table.js";
export { SUITES } from "./suites/registry.js";
export type { BenchAdapter } from "./trial/adapter.js";
export { agentSuite } from "./trial/agent-suite.js";
export { checkCommand, probesCommand, setupCommand } from "./trial/bench-commands.js";
export type {
  Assignment,
  Baseline,
  Bench,
  BenchData,
  BenchTask,
  Grade,
  HiddenOutcome,
  Runtime,
  Submission,
} from "./trial/bench-task.js";
export { type OwnTable, ownTable } from "./trial/score/own-table.js";
export type { SuitePart } from "./trial/suite-part.js";
export { TRIAL_OPTIONS } from "./trial/trial-options.js";
export type { ScoreColumn } from "./trial/trial-records.js";
export type { Ask, Claim, KeySource } from "./trust/claim.js";
export { bundleModule, type ModuleBundle } from "./trust/module-bundle.js";
export { requireTrust } from "./trust/require-trust.js";
export { type Judgement, NO_NUMBERS } from "./verdict/judgement.js";
export type { RunVerdicts, Verdict, VerdictForm } from "./verdict/verdict.js";
export type { Workspace } from "./workspace/workspace.js";
