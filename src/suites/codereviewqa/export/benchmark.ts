import { badInput } from "../../../base/errors.js";
import { sha256 } from "../../../base/sha256.js";
import { type DatasetInspection, inspectDataset, readExamples } from "../../../dataset/dataset-file.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import { firstOf } from "../../../dataset/problem.js";
import { type FormKey, formName } from "../../../question/form.js";
import { loadProbes } from "../../../question/probes.js";
import { fillTemplate, loadTemplate, optionNames, type PromptTemplate } from "../../../question/prompt.js";
import type { Question } from "../../../question/question.js";
import {
  buildQuestions,
  type ChoiceForm,
  isAsked,
  isChoiceForm,
  probeForms,
} from "../../../question/question-build.js";
import { LineWriter } from "../../../store/atomic-write.js";
import { type ExportFile, portableJson } from "./export-folder.js";

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
  if (first !== undefined) throw badInput(firstOf([first, ...rest]));
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
    throw badInput(`Expected questions with options in ${path}, found none. Nothing was written.`);
  }
  return { inspection, source, forms };
}

/**
 * A question as other tools read it, once for all its orders. Its prompt under an order: `stem`, then for each place the
 * option that stands there and the text of `joints` behind it.
 */
interface QuestionRow {
  readonly id: string;
  readonly language: string;
  readonly change_type: string;
  readonly stem: string;
  /** Option 0 is the right one. */
  readonly options: readonly string[];
  /** As many as options. */
  readonly joints: readonly string[];
}

/** The file of a form's questions, a line each. */
export function questionFile({ inspection }: Benchmark, { name, form, template }: BenchmarkForm): ExportFile {
  return {
    name: `${name}.jsonl`,
    async write(append) {
      const writer = new LineWriter(append);
      const examples = readExamples(inspection.path, new Set(inspection.lines));
      for await (const question of buildQuestions(examples, [form])) {
        await writer.write(portableJson(questionRow(question, template)));
      }
      await writer.flush();
    },
  };
}

/** See {@link QuestionRow}. */
function questionRow(question: Question, template: PromptTemplate): QuestionRow {
  const { exampleId, language, changeType, options, stem } = question;
  const names = optionNames(options.length);
  const pieces = template.text.split(/\{option_[a-z]\}/);
  const places = [...template.text.matchAll(/\{(option_[a-z])\}/g)].map(([, name]) => name);
  if (places.join() !== names.join()) {
    throw new Error(`Expected ${template.id} to show ${names.join(", ")} once each, found ${places.join(", ")}.`);
  }
  const [first = "", ...joints] = pieces.map((text) => fillTemplate({ ...template, text }, stem));
  return { id: portableId(exampleId), language, change_type: changeType, stem: first, options, joints };
}

/** An id that UTF-8 has bytes for; two that differ stay two. */
export function portableId(id: string): string {
  return id.isWellFormed() ? id : `${id.toWellFormed()}~${sha256(JSON.stringify(id)).slice(0, 12)}`;
}
