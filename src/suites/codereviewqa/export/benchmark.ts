import { ProbeError } from "../../../base/errors.js";
import { type DatasetInspection, inspectDataset, readExamples } from "../../../dataset/dataset-file.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import { firstOf } from "../../../dataset/problem.js";
import { type FormKey, formName } from "../../../question/form.js";
import { loadProbes } from "../../../question/probes.js";
import { loadTemplate, type PromptTemplate } from "../../../question/prompt.js";
import { type ChoiceForm, isAsked, isChoiceForm, probeForms } from "../../../question/question-build.js";

/** A form with options, of a benchmark that has questions of it. */
export interface BenchmarkForm {
  /** Name of its files and tasks, such as `cl_hard`. */
  readonly name: string;
  readonly form: ChoiceForm;
  readonly template: PromptTemplate;
  readonly questions: number;
}

/** A data set that is exported. */
export interface Benchmark {
  readonly inspection: DatasetInspection;
  /** Name as it was given. */
  readonly source: string;
  /** In the order of the tables; at least one. */
  readonly forms: readonly BenchmarkForm[];
}

/** Name of a form in other tools, such as `cl_hard`: small letters, digits and `_`. */
export function taskName(form: FormKey): string {
  return formName(form)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

/**
 * Reads and checks a whole data set.
 * @param source as it was named
 * @throws ProbeError `bad_input` for an invalid record, or no question
 */
export async function openBenchmark(path: string, source: string): Promise<Benchmark> {
  const inspection = await inspectDataset(path);
  const [first, ...rest] = inspection.problems;
  if (first !== undefined) throw new ProbeError("bad_input", firstOf([first, ...rest]));
  const probes = [...(await loadProbes()).values()];
  const counted = probeForms(probes, DIFFICULTIES)
    .filter(isChoiceForm)
    .map((form) => ({ form, questions: 0 }));
  for await (const example of readExamples(path, new Set(inspection.lines))) {
    for (const each of counted) if (isAsked(each.form, example)) each.questions++;
  }
  const forms: BenchmarkForm[] = [];
  for (const { form, questions } of counted) {
    if (questions === 0) continue;
    const { probe, difficulty } = form;
    forms.push({
      name: taskName({ task: probe.task, difficulty }),
      form,
      template: await loadTemplate(probe.task, probe.promptSet),
      questions,
    });
  }
  if (forms.length === 0) {
    throw new ProbeError("bad_input", `Expected questions with options in ${path}, found none. Nothing was written.`);
  }
  return { inspection, source, forms };
}
