import { badInput } from "../../../base/errors.js";
import { shellWord } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { askedModel, type RecalledOptions, recallOptions } from "../../../console/named-model.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { barProgress, interruptibly } from "../../../console/progress.js";
import { namedAnew } from "../../../console/recorded-options.js";
import { showBlocks } from "../../../report/terminal.js";
import { entryOf } from "../../../store/table.js";
import { auditBlocks } from "../audit/audit-blocks.js";
import { type AuditRequest, readAuditFile } from "../audit/audit-file.js";
import { AUDIT_HOLDER } from "../audit/audit-plan.js";
import { CONTAMINATION_SUMMARY_COLUMNS } from "../audit/audit-record.js";
import { type AuditOutcome, type AuditResult, runAudit } from "../audit/run-audit.js";
import { AUDIT_OPTIONS, AUDIT_OUTPUT, type AuditValues } from "./audit-options.js";

/**
 * `probe audit`.
 * @param suite what is to be told of a suite's data; `null`: it is none
 */
export async function handleAudit(given: GivenOptions, suite: object | null, console: Console): Promise<ExitCode> {
  const { resume, out, quiet, json } = parseOptions(AUDIT_OUTPUT, given);
  if (resume !== null && out !== null) {
    throw badInput("Expected --resume or --out, found both. --resume goes on in the audit's own folder.");
  }
  const recorded = resume === null ? null : { record: await readAuditFile(resume), holder: AUDIT_HOLDER };
  const { whole, foundIn } = recallOptions(AUDIT_OPTIONS, given, recorded);
  const request = await auditRequest(parseOptions(AUDIT_OPTIONS, whole), foundIn, console);
  const outcome = await auditInterruptibly(request, resume ?? out, quiet, console);
  if (outcome.status === "interrupted") {
    if (json) console.out(jsonText(outcome));
    console.err(
      `Stopped with ${outcome.done} of ${outcome.total} texts scored. Go on with:\n  probe audit --resume ${shellWord(outcome.folder)}${namedAnew(AUDIT_OPTIONS, given)}\n`,
    );
    return EXIT.interrupted;
  }
  if (json) console.out(jsonText(document(outcome.result, suite)));
  else showBlocks(console, auditBlocks(outcome.result));
  return failedCount(outcome.result) > 0 ? EXIT.failedAnswers : EXIT.done;
}

async function auditRequest(
  values: AuditValues,
  foundIn: RecalledOptions["foundIn"],
  { workingDirectory }: Console,
): Promise<AuditRequest> {
  const { language: languages, sample, seed, limit, starts } = values;
  return {
    ...(await askedModel({ ...values, allowGenerated: false, force: false }, foundIn, workingDirectory)),
    dataset: values.dataset ?? "starter",
    against: againstOf(values.against, values.files),
    tasks: values.task,
    difficulties: values.difficulty,
    selection: { languages, sample, seed, limit },
    starts,
    renamed: !values.noRenamed,
    skipInvalid: values.skipInvalid,
  };
}

function againstOf(named: readonly string[], files: readonly string[]): string[] {
  const [first] = files;
  if (first === undefined || named.length > 0) return [...named, ...files];
  throw badInput(`Expected files behind --against, found ${first} alone. Name what is audited with --dataset.`);
}

function auditInterruptibly(
  request: AuditRequest,
  folder: string | null,
  quiet: boolean,
  console: Console,
): Promise<AuditOutcome> {
  const progress = barProgress(console, quiet);
  const observer = {
    onMessage: progress.message,
    onDownload: progress.download,
    onStart: (total: number, done: number) => progress.start(total, done, "texts"),
    onSequence: () => progress.advance(),
  };
  return interruptibly(console, progress, (signal) =>
    runAudit({ request, folder, signal, now: console.now, observer }),
  );
}

function failedCount({ audit }: AuditResult): number {
  const forms = audit.results.counts.flatMap((counts) => counts.forms);
  return forms.reduce((sum, { failed }) => sum + Object.values(failed).flat().length, 0);
}

/** Document of `--json`; names are those of the tables. */
function document({ folder, audit, summary }: AuditResult, suite: object | null): object {
  return {
    status: audit.status,
    folder,
    audit,
    ...(suite !== null && { suite }),
    summary: summary.map((row) => entryOf(CONTAMINATION_SUMMARY_COLUMNS, row)),
  };
}
