import { existsSync } from "node:fs";
import { badInput } from "../../base/errors.js";
import { counted, shorten } from "../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { flagOf } from "../../console/option.js";
import { requireWritable } from "../../console/output-file.js";
import { interruptibly } from "../../console/progress.js";
import { type Funnel, totalOf } from "../../dataset/funnel.js";
import { forgeApiUrl } from "../../dataset/import/forge/forge-client.js";
import { GITHUB } from "../../dataset/import/forge/github.js";
import { GITLAB } from "../../dataset/import/forge/gitlab.js";
import { importRepository, type RepositoryImportOutcome } from "../../dataset/import/forge/import-repository.js";
import { readToken } from "../../dataset/import/host-requests.js";
import { hubAccess } from "../../dataset/import/hub-access.js";
import type { SourceFile } from "../../dataset/import/hub-cache.js";
import { type FileReviews, importFromHub, inspectReviews } from "../../dataset/import/hub-import.js";
import {
  type HubSource,
  type ImportSource,
  parseImportSource,
  progressPath,
  type RepositorySource,
  sourceFilePath,
  type TableSource,
} from "../../dataset/import/import-source.js";
import { openPromptfooTests } from "../../dataset/import/promptfoo-tests.js";
import { importTable, openReviewTable } from "../../dataset/import/review-table.js";
import { describeProblem } from "../../dataset/problem.js";
import { requireVariableName, variableText } from "../../model/http/secrets.js";
import { showBlocks } from "../../report/terminal.js";
import type { ImportValues } from "./dataset-options.js";
import { funnelTable } from "./funnel-table.js";
import { soundLines } from "./review-lines.js";

/** `probe dataset import`: fetches, and prints what came. */
export async function handleImport(values: ImportValues, console: Console): Promise<ExitCode> {
  const { overwrite, apiKeyEnv, json: isJson, quiet } = values;
  const source = parseImportSource(values.source);
  const out = values.out ?? `${source.name.replace(/\.jsonl$/i, "")}.jsonl`;
  refuseOptionsOfOthers(source, values);
  await requireOutputs(source, out, overwrite);
  const tokenVariable = requireNamedToken(apiKeyEnv);
  const onMessage = (message: string) => {
    if (!quiet) console.err(`${message}\n`);
  };
  return interruptibly(console, { message: onMessage, stop: () => undefined }, (signal) => {
    const job: ImportJob = { out, isJson, tokenVariable, signal, onMessage, console };
    return runJob(source, job, values);
  });
}

/** Parameters of every kind of import. */
interface ImportJob {
  readonly out: string;
  readonly isJson: boolean;
  /** The variable the user named for the token; `undefined`: the usual ones. */
  readonly tokenVariable: string | undefined;
  readonly signal: AbortSignal;
  readonly onMessage: (message: string) => void;
  readonly console: Console;
}

/**
 * Refuses outputs that exist, but for remains of a killed import: a description without its file, or a file whose
 * progress is still there.
 */
async function requireOutputs(source: ImportSource, out: string, overwrite: boolean): Promise<void> {
  const isRepository = source.kind === "github" || source.kind === "gitlab";
  const description = !isRepository && !existsSync(out) ? [] : [sourceFilePath(out)];
  const isUnfinished = isRepository && existsSync(progressPath(out));
  const outputs = [out, ...description].map((path) => ({ option: "out", path }));
  const inputs = "path" in source ? [source.path] : [];
  await requireWritable(outputs, { inputs, overwrite: overwrite || isUnfinished });
}

async function runJob(source: ImportSource, job: ImportJob, values: ImportValues): Promise<ExitCode> {
  if (source.kind === "hub") return importHub(source, job);
  return "path" in source ? importTableFile(source, job, values.skipInvalid) : importFromForge(source, job, values);
}

/** Options that some sources have, and which. */
const SOURCES_WITH = {
  since: ["github", "gitlab"],
  until: ["github", "gitlab"],
  maxPulls: ["github", "gitlab"],
  apiKeyEnv: ["hub", "github", "gitlab"],
  skipInvalid: ["table", "promptfoo"],
} as const satisfies Partial<Record<keyof ImportValues, readonly ImportSource["kind"][]>>;

const WRITTEN = {
  hub: "an hf:",
  github: "a github:",
  gitlab: "a gitlab:",
  table: "a FILE.csv",
  promptfoo: "a promptfoo:",
} as const;

function refuseOptionsOfOthers({ kind }: ImportSource, values: ImportValues): void {
  for (const [name, kinds] of Object.entries(SOURCES_WITH) as [keyof typeof SOURCES_WITH, readonly string[]][]) {
    if (values[name] === null || values[name] === false || kinds.includes(kind)) continue;
    throw badInput(
      `Expected --${flagOf(name)} with another kind of source, found it with ${WRITTEN[kind]} one. See --help.`,
    );
  }
}

/** A variable that was named must hold a token. */
function requireNamedToken(variable: string | null): string | undefined {
  if (variable === null) return undefined;
  if (readToken([requireVariableName(variable, "--api-key-env")], process.env) !== null) return variable;
  throw badInput(`Expected a token in ${variableText(variable)} (--api-key-env), found it empty.`);
}

/** Fetches a file from the hub and says what is in it. */
async function importHub(source: HubSource, job: ImportJob): Promise<ExitCode> {
  const { out, signal, onMessage, tokenVariable, console } = job;
  const access = hubAccess({ signal, onMessage, tokenVariable });
  const fetched = await unlessStopped(job, importFromHub(source, out, access, console.now()));
  if (fetched === null) return EXIT.interrupted;
  const reviews = await inspectReviews(out);
  if (job.isJson) {
    const { form, counts, invalid, problems } = reviews;
    console.out(jsonText({ out, ...fetched, form, counts, invalid, problems }));
  } else {
    for (const problem of reviews.problems) console.err(`${describeProblem(problem)}\n`);
    console.out(hubSummary(out, fetched, reviews));
  }
  return reviews.form === "neither" ? EXIT.badInput : EXIT.done;
}

/** What came of an import that keeps nothing when it is stopped; `null`: it was. */
async function unlessStopped<T>({ signal, console }: ImportJob, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.err("Stopped; nothing was kept. The same command begins anew.\n");
    return null;
  }
}

function hubSummary(out: string, fetched: SourceFile, reviews: FileReviews): string {
  const { source, revision, file, bytes, sha256, license } = fetched;
  return [
    `${out}: ${shorten(`${source}/${file}`, 300)}, ${bytes} bytes`,
    `commit ${revision}`,
    `SHA-256 ${sha256}`,
    `licence ${license === undefined ? "not told by the hub" : shorten(license, 120)}`,
    ...hubContents(reviews, out),
    "",
  ].join("\n");
}

function hubContents({ form, counts, invalid }: FileReviews, out: string): string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const byLanguage = Object.entries(counts)
    .map(([language, count]) => `${language} ${count}`)
    .join(", ");
  const rest = (why: string) => (invalid === 0 ? [] : [`Other lines: ${invalid}. ${why}`]);
  switch (form) {
    case "official":
      return [
        `${total} official records (${byLanguage}): probe run --dataset ${out}`,
        ...rest(`\`probe dataset validate ${out}\` lists why.`),
      ];
    case "raw":
      return [
        `${total} raw triples (${byLanguage}): probe dataset build ${out} makes records of them`,
        ...rest(`Invalid, or in a language that no probe knows: \`probe dataset stats ${out}\` tells.`),
      ];
    case "neither":
      return ["Expected official records or raw triples, found neither: this program cannot ask about them."];
  }
}

/** Turns a CSV or TSV file, or tests of promptfoo, into raw triples and prints the funnel. */
async function importTableFile({ kind, path }: TableSource, job: ImportJob, skip: boolean): Promise<ExitCode> {
  const { out, signal, onMessage, console } = job;
  const { unused, lines } = await (kind === "table" ? openReviewTable(path) : openPromptfooTests(path));
  if (unused.length > 0) {
    onMessage(
      `Left out ${counted(unused.length, kind === "table" ? "columns" : "variables")} of ${path}: ${shorten(unused.join(", "), 200)}`,
    );
  }
  const sound = soundLines(path, lines, { skip, warn: (text) => console.err(`${text}\n`) });
  const imported = await unlessStopped(job, importTable(path, sound, out, { now: console.now(), signal }));
  if (imported === null) return EXIT.interrupted;
  const { sha256, funnel } = imported;
  return tellTriples(job, funnel, { out, sha256, funnel }, counted(totalOf(funnel.read), "rows"));
}

/** Tells what became raw triples, and of what. */
function tellTriples({ out, isJson, console }: ImportJob, funnel: Funnel, document: object, read: string): ExitCode {
  if (isJson) {
    console.out(jsonText(document));
    return EXIT.done;
  }
  showBlocks(console, [funnelTable(funnel)]);
  const kept = totalOf(funnel.kept);
  console.out(`${kept} of ${read} became raw triples: ${out}\n`);
  if (kept > 0) console.out(`Next: probe dataset filter ${out} --out FILE, then probe dataset build.\n`);
  return EXIT.done;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const FORGES = { github: GITHUB, gitlab: GITLAB } as const;

/** Reads a repository's reviews and prints the funnel. */
async function importFromForge(
  source: RepositorySource,
  job: ImportJob,
  { since, until, maxPulls }: ImportValues,
): Promise<ExitCode> {
  const { out, signal, onMessage, tokenVariable, console } = job;
  if (since !== null && until !== null && since > until) {
    throw badInput("Expected --since to be no later than --until, found it after.");
  }
  const words = FORGES[source.kind];
  const token = readToken(tokenVariable === undefined ? words.tokenVariables : [tokenVariable], process.env);
  const access = { apiUrl: forgeApiUrl(words), token, signal, onMessage };
  const outcome = await importRepository({
    source,
    out,
    since,
    until: until === null ? null : new Date(until.getTime() + DAY_MS),
    maxPulls,
    access,
    now: console.now,
    onPull: (pulls) => {
      if (pulls % 100 === 0) onMessage(`${pulls} ${words.requests} read.`);
    },
  });
  return conclude(outcome, job, words.requests);
}

function conclude(outcome: RepositoryImportOutcome, job: ImportJob, requests: string): ExitCode {
  if (outcome.status === "interrupted") {
    job.console.err(
      outcome.pulls === 0
        ? `Stopped before any of the ${requests} was read. The same command begins anew.\n`
        : `Stopped after ${outcome.pulls} ${requests}, which are kept in ${outcome.progressPath}. ` +
            "The same command goes on.\n",
    );
    return EXIT.interrupted;
  }
  const { pulls, funnel, sha256, license } = outcome;
  const read = `${totalOf(funnel.read)} inline comments of ${pulls} merged ${requests}`;
  return tellTriples(job, funnel, { out: job.out, sha256, license, pulls, funnel }, read);
}
