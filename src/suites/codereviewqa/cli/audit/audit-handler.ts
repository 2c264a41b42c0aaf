import { ProbeError } from "../../../../base/errors.js";
import { choice, languages, list, single, wholeNumber } from "../../../../console/arguments.js";
import type { Console } from "../../../../console/console.js";
import { EXIT, type ExitCode } from "../../../../console/exit-codes.js";
import { interruptibly } from "../../../../console/interruptible.js";
import { connectionOf } from "../../../../console/model-options.js";
import { namedModel } from "../../../../console/named-model.js";
import { barProgress } from "../../../../console/progress.js";
import { showBlocks } from "../../../../console/show-blocks.js";
import { readAuditFile } from "../../audit/audit-file.js";
import type { AuditRequest } from "../../audit/request.js";
import { type AuditOutcome, type AuditResult, runAudit } from "../../audit/run-audit.js";
import { START_MODES } from "../../metric/contamination/starting-points.js";
import type { ContaminationRow } from "../../metric/contamination/summarise.js";
import { auditBlocks } from "../../report/audit/audit.js";
import { difficulties } from "../difficulties.js";

type Text = string | string[] | undefined;

/** The options of `probe audit` as the parser hands them over. */
export interface AuditArguments {
  /** What stands behind `--against FILE`. */
  readonly files?: readonly string[] | undefined;
  readonly model?: Text;
  readonly dataset?: Text;
  readonly against?: Text;
  readonly task?: Text;
  readonly difficulty?: Text;
  readonly language?: Text;
  readonly sample?: Text;
  readonly limit?: Text;
  readonly starts?: Text;
  readonly seed?: Text;
  readonly noRenamed?: boolean | undefined;
  readonly modelArg?: Text;
  readonly baseUrl?: Text;
  readonly apiKeyEnv?: Text;
  readonly apiKeyFile?: Text;
  readonly concurrency?: Text;
  readonly skipInvalid?: boolean | undefined;
  readonly out?: Text;
  readonly resume?: Text;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** `probe audit`. */
export async function handleAudit(given: AuditArguments, console: Console): Promise<ExitCode> {
  const resume = single("resume", given.resume);
  const out = single("out", given.out);
  if (resume !== undefined && out !== undefined) {
    throw new ProbeError(
      "bad_input",
      "Expected --resume or --out, found both. --resume goes on in the audit's own folder.",
    );
  }
  const asked = resume === undefined ? given : await withRecorded(given, resume);
  const request = await parseRequest(asked, console.workingDirectory);
  const outcome = await auditInterruptibly(request, resume ?? out ?? null, given.quiet === true, console);
  if (outcome.status === "interrupted") {
    if (given.json === true) console.out(`${JSON.stringify(outcome, null, 2)}\n`);
    console.err(
      `Stopped with ${outcome.done} of ${outcome.total} texts scored. Go on with:\n  probe audit --resume ${outcome.folder}\n`,
    );
    return EXIT.interrupted;
  }
  if (given.json === true) console.out(`${JSON.stringify(document(outcome.result), null, 2)}\n`);
  else showBlocks(console, auditBlocks(outcome.result));
  return failedCount(outcome.result) > 0 ? EXIT.failedAnswers : EXIT.done;
}

/** The arguments of the audit in `folder`, under those given now: what is given anew must agree, or it is refused. */
async function withRecorded(given: AuditArguments, folder: string): Promise<AuditArguments> {
  const { model, benchmarks, parameters } = await readAuditFile(folder);
  const text = (value: string | number | null): string | undefined => (value === null ? undefined : String(value));
  const recorded: AuditArguments = {
    model: model.label,
    dataset: benchmarks[0]?.source,
    against: benchmarks.slice(1).map(({ source }) => source),
    task: parameters.tasks,
    difficulty: parameters.difficulties,
    language: parameters.languages,
    sample: text(parameters.sample),
    limit: text(parameters.limit),
    starts: parameters.starts,
    seed: text(parameters.seed),
    noRenamed: !parameters.renamed,
    modelArg: parameters.model_args,
    baseUrl: model.connection.base_urls,
    apiKeyEnv: text(model.connection.api_key_env),
    apiKeyFile: text(model.connection.api_key_file),
    concurrency: text(model.connection.concurrency),
    skipInvalid: parameters.skip_invalid,
  };
  const now = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...recorded, ...now };
}

async function parseRequest(given: AuditArguments, workingDirectory: string): Promise<AuditRequest> {
  const model = await namedModel(given, workingDirectory);
  return {
    model,
    connection: connectionOf(given),
    dataset: single("dataset", given.dataset) ?? "starter",
    against: againstOf(given),
    tasks: list(given.task).map((task) => task.toUpperCase()),
    difficulties: difficulties(given.difficulty),
    selection: {
      languages: languages(given.language),
      sample: wholeNumber("sample", given.sample, 1) ?? null,
      seed: wholeNumber("seed", given.seed, 0) ?? 0,
      limit: wholeNumber("limit", given.limit, 1) ?? null,
    },
    starts: choice("starts", given.starts, START_MODES) ?? "even",
    renamed: given.noRenamed !== true,
    skipInvalid: given.skipInvalid === true,
  };
}

function againstOf({ against, files = [] }: AuditArguments): string[] {
  const named = [against ?? []].flat();
  const [first] = files;
  if (first === undefined || named.length > 0) return [...named, ...files];
  throw new ProbeError(
    "bad_input",
    `Expected files behind --against, found ${first} alone. Name what is audited with --dataset.`,
  );
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

/** What `--json` prints; names are those of the tables. */
function document({ folder, audit, summary }: AuditResult): object {
  return { status: audit.status, folder, audit, summary: summary.map(summaryEntry) };
}

function summaryEntry({ groupBy, ciLow, ciHigh, ...row }: ContaminationRow): object {
  const { benchmark, form, task, difficulty, group, metric, value, n } = row;
  return {
    benchmark,
    form,
    task,
    difficulty,
    group_by: groupBy,
    group,
    metric,
    value,
    ci_low: ciLow,
    ci_high: ciHigh,
    n,
  };
}
