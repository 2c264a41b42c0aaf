import Table from "cli-table3";
import type { LanguageDraw } from "../../curate/sample.js";

/** What a sample took from each language, and over how many repositories it is spread. */
export function sampleTable(languages: readonly LanguageDraw[]): string {
  const table = new Table({
    head: ["language", "available", "taken", "repositories", "of them taken from", "most from one"],
    colAligns: ["left", "right", "right", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  for (const { language, available, taken, repositories } of languages) {
    const named = repositories.filter(({ repo }) => repo !== null);
    table.push([
      language,
      String(available),
      String(taken),
      String(named.length),
      String(named.filter((repository) => repository.taken > 0).length),
      String(repositories.reduce((most, repository) => Math.max(most, repository.taken), 0)),
    ]);
  }
  return `${table.toString()}\n`;
}
