/**
 * The tables of a benchmark: its texts, then, where they were scored, those of its renamed code. The audited dataset has
 * `contamination.csv` and `contamination.renamed.csv`, another `contamination.against-NAME.csv` and so on: the
 * columns are fixed and do not tell benchmarks apart.
 */
export function tablesOf({ index, name, renamed }: { index: number; name: string; renamed: boolean }): string[] {
  const stem = index === 0 ? "contamination" : `contamination.against-${index}-${slugOf(name)}`;
  return [`${stem}.csv`, ...(renamed ? [`${stem}.renamed.csv`] : [])];
}

function slugOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}
