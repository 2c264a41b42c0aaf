import { badInput } from "../../../base/errors.js";
import { counted } from "../../../base/text.js";
import { formName } from "../../../question/form.js";
import {
  type Asked,
  firstOther,
  promptDifferences,
  refuseDifferent,
  shortHash,
} from "../../../run/compare/run-differences.js";
import { designOf, isRaced, type RunFile } from "./run-file.js";
import type { NamedRun, StoredQuestion, StoredRun } from "./stored-run.js";

/**
 * Makes sure, by what `run.json` tells, that two runs are about the same: dataset, selection, probe forms and prompts.
 * @throws ProbeError `bad_input` naming what differs
 */
export function requireSameSelection(first: NamedRun, second: NamedRun): void {
  refuseDifferent(first, second, [
    ...selectionDifferences(first.run, second.run),
    ...promptDifferences(first.run, second.run),
  ]);
}

/**
 * Makes sure that the questions themselves are the same, by place and by the text of their prompts.
 * @throws ProbeError `bad_input` naming the first that is not
 */
export function requireSameQuestions(first: StoredRun, second: StoredRun): void {
  refuseDifferent(first, second, firstOther("question", first.questions.map(asked), second.questions.map(asked)));
}

/**
 * Makes sure that questions were asked under the very same orders, not just as many: then answers are held against each
 * other order by order, and being right under all of them is the same in both.
 * @throws ProbeError `bad_input`
 */
export function requireSameOrders(first: NamedRun, second: NamedRun): void {
  const [then, now] = [ordersText(first.run), ordersText(second.run)];
  if (then === now) return;
  throw badInput(
    `Expected runs under the same orders, found ${then} in ${first.folder} and ${now} in ${second.folder}. ` +
      "Ask one of them again like the other.",
  );
}

function ordersText(run: RunFile): string {
  if (run.forms.every(({ orders }) => orders === undefined)) return "all orders";
  const { orders } = designOf(run);
  return `--orders ${orders}${typeof orders === "number" ? ` --seed ${String(run.parameters["seed"])}` : ""}`;
}

/**
 * Makes sure that of runs with probes none left questions unasked, and all asked them under as many orders: fewer are easier.
 * @throws ProbeError `bad_input`
 */
export function requireWholeAlike(named: readonly NamedRun[]): void {
  const probing = named.filter(({ run }) => run.forms.some(({ task }) => task !== "ACR"));
  const raced = probing.find(({ run }) => isRaced(run))?.folder;
  if (raced !== undefined) {
    throw badInput(
      `Expected all questions asked, found ${raced}, in which they may not be (--until decided). Name a run without it.`,
    );
  }
  const found = otherOrders(probing);
  if (found === null) return;
  throw badInput(`Expected runs with the same --orders, found ${found}: right under fewer is easier. Name such runs.`);
}

/**
 * The first form that runs were asked under other numbers of orders, such as `CTR under all orders in a, under 3 in b`,
 * however `--orders` said it; `null`: none.
 */
export function otherOrders(named: readonly Pick<NamedRun, "run" | "folder">[]): string | null {
  const folders = new Map<string, Map<number | "all", string>>();
  for (const { run, folder } of named) {
    for (const { orders = "all", ...form } of run.forms.filter(({ questions }) => questions > 0)) {
      const own = folders.get(formName(form)) ?? new Map();
      folders.set(formName(form), own.set(orders, own.get(orders) ?? folder));
    }
  }
  const other = [...folders].find(([, own]) => own.size > 1);
  if (other === undefined) return null;
  const [form, own] = other;
  const shown = [...own].map(([orders, folder]) => `${orders === "all" ? "all orders" : orders} in ${folder}`);
  return `${form} under ${shown.join(", under ")}`;
}

/** Differences of two runs in their datasets and in the probe forms that were asked, a line a difference. */
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
    new Map(forms.filter(({ questions }) => questions > 0).map((form) => [formName(form), askedText(form)]));
  const [then, now] = [count(first), count(second)];
  const shown = (text: string | undefined) => text ?? "not asked";
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((form) => then.get(form) !== now.get(form))
    .map((form) => `probe ${form}: ${shown(then.get(form))} and ${shown(now.get(form))}`);
}

/** Being right under fewer orders is easier: scores under other numbers of them are not compared. */
function askedText({ questions, orders }: RunFile["forms"][number]): string {
  return `${questions} questions${orders === undefined ? "" : ` under ${counted(orders, "orders")} each`}`;
}

function asked({ promptSha256, score: { task, difficulty, ablation, exampleId } }: StoredQuestion): Asked {
  const withheld = ablation === undefined ? [] : [`−${ablation}`];
  return { promptSha256, place: [task, difficulty ?? "", ...withheld, exampleId].join(" ") };
}
