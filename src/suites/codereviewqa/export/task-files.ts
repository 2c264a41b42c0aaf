import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../base/folders.js";
import { permutationCount } from "../../../question/permutations.js";
import { LineWriter } from "../../../store/atomic-write.js";
import { type Benchmark, type BenchmarkForm, questionFile } from "./benchmark.js";
import { type ExportFile, portableJson, textFile } from "./export-folder.js";

/** Programs that are copied as they are: whatever the data have in them, no text of theirs becomes code. */
const PROGRAMS = join(packageRoot, "runners/benchmark");

const BENCHMARK = "codereviewqa";

/** Tasks of lm-evaluation-harness: two a form, by the probabilities of the letters and by the letter that is written. */
export async function lmEvalTasks(benchmark: Benchmark): Promise<ExportFile[]> {
  const kinds = [
    ["choice", BENCHMARK],
    ["written", `${BENCHMARK}_written`],
  ] as const;
  const tasks = kinds.flatMap(([kind, group]) => [
    textFile(
      `${group}.yaml`,
      `group: ${group}\ntask:\n${benchmark.forms.map(({ name }) => `  - ${group}_${name}\n`).join("")}`,
    ),
    ...benchmark.forms.map(({ name }) =>
      textFile(
        `${group}_${name}.yaml`,
        `include: _${kind}.yaml\ntask: ${group}_${name}\ndataset_kwargs:\n  form: ${name}\n`,
      ),
    ),
  ]);
  return [...(await programs("orders.py", "_choice.yaml", "_written.yaml")), ...tasks, ...questions(benchmark)];
}

/** A task of inspect_ai for each form. */
export async function inspectTask(benchmark: Benchmark): Promise<ExportFile[]> {
  return [...(await programs("orders.py", `${BENCHMARK}.py`)), ...questions(benchmark)];
}

/** Configuration, tests and prompt of promptfoo: a test a question and order, which names them by their numbers. */
export async function promptfooTests(benchmark: Benchmark): Promise<ExportFile[]> {
  return [
    ...(await programs("promptfooconfig.yaml", "prompt.mjs", "letter.mjs", "accuracy.mjs", "orders.mjs")),
    { name: "tests.jsonl", write: (append) => writeTests(benchmark.forms, append) },
    ...questions(benchmark),
  ];
}

async function writeTests(forms: readonly BenchmarkForm[], append: (text: string) => Promise<void>): Promise<void> {
  const writer = new LineWriter(append);
  for (const { name, form, questions: count } of forms) {
    const orders = permutationCount(form.probe.optionCount);
    for (let question = 0; question < count; question++) {
      for (let order = 0; order < orders; order++) {
        await writer.write(portableJson({ vars: { form: name, question, order } }));
      }
    }
  }
  await writer.flush();
}

function questions(benchmark: Benchmark): ExportFile[] {
  return benchmark.forms.map((form) => questionFile(benchmark, form));
}

async function programs(...names: readonly string[]): Promise<ExportFile[]> {
  return Promise.all(names.map(async (name) => textFile(name, await readFile(join(PROGRAMS, name), "utf8"))));
}
