import { SUITE_PARTS } from "../../../run/suite-entry.js";
import type { DataFact } from "../../../verdict/verdict.js";
import { findAuditFile } from "../audit/audit-file.js";
import { type KnownAudit, memorisedTexts } from "./known-data.js";

/** What `audit --suite` calls the code of a suite: suite, part, how the SHA-256 of the data begins, and that of the texts. */
const NAME = new RegExp(`^(.+)-(${SUITE_PARTS.join("|")})-([0-9a-f]{8})-[0-9a-f]{8}$`);

/** The name of a file with the code of a suite. */
export function suitePartName(suite: string, part: string, dataSha256: string, textSha256: string): string {
  return `${suite}-${part}-${dataSha256.slice(0, 8)}-${textSha256.slice(0, 8)}`;
}

/** What finished audits of the code of suites of agents say of it, by their folders. */
export async function suiteFacts(folders: readonly string[]): Promise<DataFact[]> {
  const facts: DataFact[] = [];
  for (const folder of folders) {
    const audit = await findAuditFile(folder);
    if (audit?.results != null) facts.push(...suiteFact(folder, { ...audit, results: audit.results }));
  }
  return facts;
}

/** What one says: nothing where it is of other data. */
export function suiteFact(folder: string, { model, benchmarks, results }: KnownAudit): DataFact[] {
  const name = benchmarks[0]?.name ?? "";
  const [, suite, part, data] = NAME.exec(name) ?? [];
  if (suite === undefined || data === undefined) return [];
  const { memorised, scored, ...fact } = memorisedTexts(name, results);
  const text = `${memorised} of ${scored} texts`;
  return [
    { folder, suite, model: model.label, data, fact: { title: `${part} code that looks memorised`, ...fact, text } },
  ];
}
