import { sha256 } from "../../../base/sha256.js";
import { readExamples } from "../../../dataset/dataset-file.js";
import { fillTemplate, optionNames, type PromptTemplate } from "../../../question/prompt.js";
import type { Question } from "../../../question/question.js";
import { buildQuestions } from "../../../question/question-build.js";
import { LineWriter } from "../../../store/atomic-write.js";
import type { Benchmark, BenchmarkForm } from "./benchmark.js";
import { type ExportFile, portableJson } from "./export-folder.js";

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
export function questionRow(question: Question, template: PromptTemplate): QuestionRow {
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
