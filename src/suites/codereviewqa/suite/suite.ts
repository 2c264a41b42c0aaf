import type { Suite } from "../../../run/suite.js";
import { previewRun } from "../ask/dry-run.js";
import { planRun } from "../ask/plan.js";
import { AUDIT_FILE, findAuditFile } from "../audit/audit-file.js";
import { AUDIT_JOURNAL } from "../audit/record.js";
import { FLOORS_FILE } from "../floors/floor-record.js";
import { RUN_OPTIONS, type RunValues } from "../options.js";
import { type RunFile, runFileSchema } from "../record/run-file.js";
import { dataOf } from "../record/run-identity.js";
import { selectionDifferences } from "../record/same-questions.js";
import { questionAnchor } from "../report/html/page/links.js";
import { previewBlocks } from "../report/preview.js";
import { journalsOf } from "./journals.js";
import { planSuite } from "./plan.js";
import { runRequest } from "./request.js";
import { scoreSuite } from "./score.js";

/** Code review questions: multiple choice under every order of the options, and generation (arXiv 2503.16167). */
export const suite: Suite<RunValues, RunFile> = {
  name: "codereviewqa",
  title: "code review questions",
  options: RUN_OPTIONS,
  schema: runFileSchema,
  items: ["questions", "generations"],
  measures: ["invariant_accuracy", "em", "mean_accuracy", "plurality_agreement", "edit_similarity"],
  manner: ["prompt_mode", "mode", "early_stop", "max_completion_tokens"],
  data: dataOf,
  plan: async (request) => planSuite(await planRun(await runRequest(request), request.warn), request.values),
  journals: journalsOf,
  besides: [{ kind: "same", name: FLOORS_FILE }],
  score: scoreSuite,
  dataDifferences: selectionDifferences,
  otherRecords: async (folder) =>
    (await findAuditFile(folder)) === null ? null : [AUDIT_FILE.name, AUDIT_JOURNAL.file],
  dataFacts: async (folders) => (await import("./suite-facts.js")).suiteFacts(folders),
  tables: {
    failures: async (request) => (await import("./tables.js")).failureSet(request),
    contamination: async (request) => (await import("./tables.js")).contaminationSet(request),
  },
  anchor: questionAnchor,
  page: async (request) => (await import("./page.js")).reviewPage(request),
  preview: async (request, asksServer) => {
    const measures = asksServer ? "servers too" : "in process";
    const preview = await previewRun(await runRequest(request), request.warn, measures);
    return { document: preview, blocks: previewBlocks(preview) };
  },
};
