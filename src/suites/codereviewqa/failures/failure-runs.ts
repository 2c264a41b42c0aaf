import { ProbeError } from "../../../base/errors.js";
import { shellWord } from "../../../base/shell-word.js";
import { formName } from "../example/form.js";
import { runCommandText } from "../record/run-command-text.js";
import type { NamedRun } from "../record/stored-run.js";

/** Every question form that the failure analysis is about, as `run.json` names them. */
const NEEDED = ["CTR", "CL easy", "CL hard", "SI easy", "SI hard", "ACR"] as const;

/** Runs of one model over the same examples that together hold ACR and every probe. */
export interface FailureRuns {
  /** In the order in which they were named; one, if it holds everything itself. */
  readonly runs: readonly NamedRun[];
  /** Which of them each form is read from: the first that holds it. */
  readonly sources: ReadonlyMap<string, NamedRun>;
}

/**
 * Sorts the named runs out: one that holds ACR and every probe stands alone; one that lacks something is joined with an
 * earlier one whose lack it fills, of the same model, data and prompts.
 * @throws ProbeError `bad_input` for a folder named twice, or naming what is lacking and the command that asks for it
 */
export function failureRuns(named: readonly NamedRun[]): FailureRuns[] {
  requireDistinct(named);
  const units: NamedRun[][] = [];
  for (const run of named) {
    const partial = lackedBy([run]).length === 0 ? undefined : units.find((unit) => isFilledBy(unit, run));
    if (partial === undefined) units.push([run]);
    else partial.push(run);
  }
  for (const unit of units) if (lackedBy(unit).length > 0) throw lacking(unit);
  return units.map((runs) => ({ runs, sources: sourcesOf(runs) }));
}

function isFilledBy(unit: readonly NamedRun[], run: NamedRun): boolean {
  return lackedBy([...unit, run]).length < lackedBy(unit).length && belong(unit, run);
}

function requireDistinct(named: readonly NamedRun[]): void {
  for (const [i, { path, folder }] of named.entries()) {
    if (!named.slice(0, i).some((earlier) => earlier.path === path)) continue;
    throw new ProbeError(
      "bad_input",
      `Expected different runs, found one of them twice: ${folder}. Name each run once.`,
    );
  }
}

function lackedBy(unit: readonly NamedRun[]): string[] {
  const sources = sourcesOf(unit);
  return NEEDED.filter((form) => !sources.has(form));
}

/** A form that was asked of no example (SI, where all are deletions) is held all the same. */
function sourcesOf(unit: readonly NamedRun[]): Map<string, NamedRun> {
  const sources = new Map<string, NamedRun>();
  for (const named of unit) {
    for (const recorded of named.run.forms) {
      const form = NEEDED.find((name) => name === formName(recorded));
      if (form !== undefined && !sources.has(form)) sources.set(form, named);
    }
  }
  return sources;
}

/** Whether a run asks the same model, the same way, about the same examples as the runs of a unit. */
function belong(unit: readonly NamedRun[], { run }: NamedRun): boolean {
  return unit.every(({ run: other }) => {
    // What an identity says of a way that only one of them used says nothing of the model.
    const isSame = (key: string) =>
      !(key in run.model.identity) || run.model.identity[key] === other.model.identity[key];
    return (
      other.model.label === run.model.label &&
      Object.keys(other.model.identity).every(isSame) &&
      other.dataset.sha256 === run.dataset.sha256 &&
      other.dataset.selection_sha256 === run.dataset.selection_sha256 &&
      other.parameters["prompt_mode"] === run.parameters["prompt_mode"] &&
      other.prompts.every(({ id, sha256 }) => run.prompts.every((mine) => mine.id !== id || mine.sha256 === sha256))
    );
  });
}

function lacking(unit: readonly NamedRun[]): ProbeError {
  const forms = lackedBy(unit);
  const tasks = [...new Set(forms.map((form) => form.split(" ")[0] ?? form))];
  const difficulties = [...new Set(forms.flatMap((form) => form.split(" ").slice(1)))];
  const folders = unit.map(({ folder }) => folder);
  const out = `${(folders[0] ?? "").replace(/\/+$/, "")}-rest`;
  const difficulty = difficulties.length === 1 ? (difficulties[0] ?? null) : null;
  const commands = unit
    .slice(0, 1)
    .flatMap(({ run }) => [
      runCommandText(run, { tasks, difficulty, out }),
      `probe failures ${[...folders, out].map(shellWord).join(" ")}`,
    ]);
  return new ProbeError(
    "bad_input",
    `Expected ACR and every probe (CTR, CL and SI at both difficulties) of one model over the same examples, found ` +
      `${folders.join(" and ")} without ${forms.join(", ")}.\n` +
      `Ask for the rest, then name both runs:\n${commands.map((line) => `  ${line}`).join("\n")}`,
  );
}
