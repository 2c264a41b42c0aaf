import { ProbeError } from "../../../base/errors.js";
import { formName } from "../example/form.js";
import type { RunFile } from "./run-file.js";
import type { NamedRun, StoredQuestion, StoredRun } from "./stored-run.js";

/**
 * Makes sure, by what `run.json` tells, that two runs are about the same: dataset, selection, probe forms and prompts.
 * @throws ProbeError `bad_input` naming what differs
 */
export function requireSameSelection(first: NamedRun, second: NamedRun): void {
  refuse(first, second, [...selectionDifferences(first.run, second.run), ...promptDifferences(first, second)]);
}

/**
 * Makes sure that the questions themselves are the same, by place and by the text of their prompts.
 * @throws ProbeError `bad_input` naming the first that is not
 */
export function requireSameQuestions(first: StoredRun, second: StoredRun): void {
  refuse(first, second, firstOther("question", first.questions.map(asked), second.questions.map(asked)));
}

function refuse(first: NamedRun, second: NamedRun, differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected runs over the same questions, found that ${folderNames(first, second)} differ:\n` +
      `${differences.map((line) => `  ${line}`).join("\n")}\n` +
      "Runs can be paired when dataset, selection, tasks and prompts are the same: run one of them again like the other.",
  );
}

function folderNames(first: NamedRun, second: NamedRun): string {
  return `${first.folder} and ${second.folder}`;
}

/** In what the datasets of two runs differ, and the probe forms that were asked, a line a difference. */
export function selectionDifferences(first: RunFile, second: RunFile): string[] {
  return [...datasetDifferences(first, second), ...formDifferences(first, second)];
}

function datasetDifferences({ dataset: then }: RunFile, { dataset: now }: RunFile): string[] {
  const name = ({ source, sha256 }: typeof then) => `${source} (sha256 ${shortHash(sha256)})`;
  if (then.sha256 !== now.sha256) return [`dataset: ${name(then)} and ${name(now)}`];
  if (then.selection_sha256 === now.selection_sha256) return [];
  return [
    `examples: ${then.selected} and ${now.selected} of the dataset's ${now.examples}, not the same ones ` +
      "(--language, --sample, --seed, --limit)",
  ];
}

function formDifferences(first: RunFile, second: RunFile): string[] {
  const count = ({ forms }: RunFile) =>
    new Map(forms.filter(({ questions }) => questions > 0).map((form) => [formName(form), form.questions]));
  const [then, now] = [count(first), count(second)];
  const shown = (questions: number | undefined) => (questions === undefined ? "not asked" : `${questions} questions`);
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((form) => then.get(form) !== now.get(form))
    .map((form) => `probe ${form}: ${shown(then.get(form))} and ${shown(now.get(form))}`);
}

function promptDifferences({ run: then }: NamedRun, { run: now }: NamedRun): string[] {
  return then.prompts.flatMap(({ id, sha256 }) => {
    const other = now.prompts.find((prompt) => prompt.id === id);
    if (other === undefined || other.sha256 === sha256) return [];
    return [`prompt ${id}: sha256 ${shortHash(sha256)} and ${shortHash(other.sha256)}`];
  });
}

/** A question or generation: what it is about, such as `CL hard 0123456789ab`, and its prompt. */
interface Asked {
  readonly place: string;
  readonly promptSha256: string;
}

function firstOther(what: string, then: readonly Asked[], now: readonly Asked[]): string[] {
  if (then.length !== now.length) return [`${what}s: ${then.length} and ${now.length}`];
  for (const [i, asked] of then.entries()) {
    const other = now[i];
    if (other?.place !== asked.place) {
      return [`${what} ${i + 1}: ${asked.place} and ${other === undefined ? "none" : other.place}`];
    }
    if (other.promptSha256 !== asked.promptSha256) {
      const hashes = [asked, other].map(({ promptSha256 }) => shortHash(promptSha256));
      return [`text of ${what} ${i + 1} (${asked.place}): prompt sha256 ${hashes.join(" and ")}`];
    }
  }
  return [];
}

function asked({ promptSha256, score: { task, difficulty, ablation, exampleId } }: StoredQuestion): Asked {
  const withheld = ablation === undefined ? [] : [`−${ablation}`];
  return { promptSha256, place: [task, difficulty ?? "", ...withheld, exampleId].join(" ") };
}

function shortHash(sha256: string): string {
  return `${sha256.slice(0, 12)}…`;
}
