import { join } from "node:path";
import { sum } from "simple-statistics";
import { badInput } from "../../../base/errors.js";
import { shellWord } from "../../../base/text.js";
import { modelName, type NamedModel } from "../../../model/vendor/model-name.js";
import { SUITE_PARTS } from "../../../run/suite-entry.js";
import { proportion } from "../../../stats/interval.js";
import type { DataFact, RealityFact } from "../../../verdict/verdict.js";
import { AUDIT_FILE, type AuditFile, findAuditFile, readAuditFile } from "./audit-file.js";
import { auditFacts } from "./audit-plan.js";
import { AUDIT_JOURNAL, type ContaminationRow } from "./audit-record.js";
import { collectAudit } from "./collect-audit.js";
import { summariseContamination } from "./contamination-summary.js";

/** The part of a finished audit that tells whether its data were seen before. */
interface KnownAudit {
  readonly model: NamedModel;
  readonly benchmarks: readonly { readonly name: string; readonly sha256: string }[];
  readonly results: {
    readonly memorised: readonly { readonly benchmark: string }[];
    readonly counts: readonly {
      readonly benchmark: string;
      readonly forms: readonly { readonly form?: string; readonly scored: number }[];
    }[];
  };
}

/** Model that answered, and the data. */
interface AskedData {
  readonly model: NamedModel;
  readonly dataset: { readonly sha256: string };
}

/** Tells whether the model has seen the data of a run before, by the first audit of it with these very data. */
export function knownData({ model, dataset }: AskedData, audits: readonly KnownAudit[]): RealityFact {
  const title = "texts that look memorised";
  const [found] = audits.flatMap(({ model: audited, benchmarks, results }) => {
    const own =
      modelName(audited) === modelName(model) ? benchmarks.find(({ sha256 }) => sha256 === dataset.sha256) : undefined;
    return own === undefined ? [] : [{ name: own.name, results }];
  });
  if (found === undefined)
    return { title, share: null, state: "unknown", text: "not audited: probe audit, and its folder beside the run" };
  const { memorised, scored, ...fact } = memorisedTexts(found.name, found.results);
  return { title, ...fact, text: `${memorised} of ${scored} texts of ${found.name}` };
}

/** Counts the texts of a benchmark that look memorised. */
function memorisedTexts(name: string, { memorised: all, counts }: KnownAudit["results"]) {
  const memorised = all.filter(({ benchmark }) => benchmark === name).length;
  const forms = counts.find(({ benchmark }) => benchmark === name)?.forms ?? [];
  // Renamed code is never among the memorised: nobody can have seen it.
  const scored = sum(forms.flatMap(({ form, scored: own }) => (form === "ACR_RENAMED" ? [] : own)));
  const state = memorised === 0 ? ("good" as const) : ("doubtful" as const);
  return { memorised, scored, share: proportion(memorised, scored), state };
}

/** Name of a suite's code in `audit --suite`: suite, part, first digits of the SHA-256 of the data and of the texts. */
const NAME = new RegExp(`^(.+)-(${SUITE_PARTS.join("|")})-([0-9a-f]{8})-[0-9a-f]{8}$`);

/** The name of a file with the code of a suite. */
export function suitePartName(suite: string, part: string, dataSha256: string, textSha256: string): string {
  return `${suite}-${part}-${dataSha256.slice(0, 8)}-${textSha256.slice(0, 8)}`;
}

/** Names of the files of an audit in a folder; `null` where it holds none. */
export async function auditRecords(folder: string): Promise<readonly string[] | null> {
  return (await findAuditFile(folder)) === null ? null : [AUDIT_FILE.name, AUDIT_JOURNAL.file];
}

/** Facts in finished audits of the code of suites of agents, by their folders. */
export async function suiteFacts(folders: readonly string[]): Promise<DataFact[]> {
  const facts: DataFact[] = [];
  for (const folder of folders) {
    const audit = await findAuditFile(folder);
    if (audit?.results != null) facts.push(...suiteFact(folder, { ...audit, results: audit.results }));
  }
  return facts;
}

/** Facts of one audit: none where it is of other data. */
export function suiteFact(folder: string, { model, benchmarks, results }: KnownAudit): DataFact[] {
  const name = benchmarks[0]?.name ?? "";
  const [, suite, part, data] = NAME.exec(name) ?? [];
  if (suite === undefined || data === undefined) return [];
  const { memorised, scored, ...fact } = memorisedTexts(name, results);
  const text = `${memorised} of ${scored} texts`;
  return [
    {
      folder,
      suite,
      model: modelName(model),
      data,
      fact: { title: `${part} code that looks memorised`, ...fact, text },
    },
  ];
}

/** A finished audit, as its folder tells it. */
export interface AuditReport {
  readonly folder: string;
  readonly audit: AuditFile & { readonly results: NonNullable<AuditFile["results"]> };
  readonly summary: readonly ContaminationRow[];
}

/**
 * Reads a finished audit and computes its numbers from the journal; writes nothing.
 * @throws ProbeError `bad_input` when the folder holds no audit, or one that is not finished
 */
export async function readAuditReport(folder: string): Promise<AuditReport> {
  const audit = await readAuditFile(folder);
  const { results } = audit;
  if (results === null) {
    throw badInput(
      `Expected a finished audit in ${folder}, found one that is not. Finish it first: probe audit ` +
        `--resume ${shellWord(folder)}`,
    );
  }
  const benchmarks = results.counts.map(({ benchmark: name, forms }) => ({ name, forms }));
  const { sets } = await collectAudit(join(folder, AUDIT_JOURNAL.file), { benchmarks }, auditFacts(audit));
  const summary = summariseContamination(sets, { seed: audit.parameters.seed, resamples: results.resamples });
  return { folder, audit: { ...audit, results }, summary };
}
