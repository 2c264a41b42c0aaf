/**
 * Runs models on the same few questions, reads back what they answered, and compares them.
 * Node 22.18 or later takes it as it is: `node examples/run-and-compare.ts results/example scripted:oracle tiny`.
 */
import { compareRuns, loadRun, newSession, runProbes } from "code-review-probe";

/**
 * @param folder where the runs go, one folder a model
 * @param models at least two, such as `tiny` and `scripted:always-A`; the first is the baseline
 * @returns a line a finding
 */
export async function runAndCompare(folder: string, models: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  const folders: string[] = [];
  for (const [i, model] of models.entries()) {
    const outcome = await runProbes(
      await newSession({
        model,
        tasks: ["CTR", "CL"],
        difficulties: ["hard"],
        selection: { limit: 4 },
        folder: `${folder}/${i}`,
      }),
    );
    if (outcome.status !== "complete") throw new Error(`${model} did not finish: ${outcome.status}`);
    folders.push(outcome.scored.folder);
    lines.push(...(await describe(outcome.scored.folder)));
  }
  const { comparisons } = await compareRuns({ folders, allPairs: false, seed: 0 });
  for (const { baseline, candidate, rows } of comparisons) {
    for (const { label, share, pValue } of rows) {
      const names = `${candidate.run.model.label} against ${baseline.run.model.label}, ${label}`;
      lines.push(`${names}: ${share.difference.toFixed(2)} (p ${pValue.toFixed(2)})`);
    }
  }
  return lines;
}

/** A line a probe form, and one on the letters that were chosen. */
async function describe(folder: string): Promise<string[]> {
  const { run, summary, answers } = await loadRun(folder);
  const { label } = run.model;
  const accuracies = summary.filter(({ metric, group }) => metric === "invariant_accuracy" && group === "all");
  const letters = new Map<string, number>();
  for await (const { outcome } of answers()) {
    const letter = outcome.status === "chosen" ? outcome.chosenSymbol : outcome.status;
    letters.set(letter, (letters.get(letter) ?? 0) + 1);
  }
  const counts = [...letters].sort().map(([letter, count]) => `${letter} ${count}`);
  return [
    ...accuracies.map(({ task, value, n }) => `${label}, ${task}: ${value?.toFixed(2)} of ${n} right in all orders`),
    `${label} chose ${counts.join(", ")}`,
  ];
}

if (process.argv[1] === import.meta.filename) {
  const [folder = "results/example", ...models] = process.argv.slice(2);
  const compared = models.length > 1 ? models : ["scripted:oracle", "scripted:always-A", "tiny"];
  for (const line of await runAndCompare(folder, compared)) process.stdout.write(`${line}\n`);
}
