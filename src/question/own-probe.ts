import { dirname, resolve } from "node:path";
import { z } from "zod";
import { badInput, messageOf, ProbeError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import type { OptionIndex } from "../base/symbol.js";
import type { Difficulty, Example } from "../dataset/example.js";
import { readText } from "../store/text-lines.js";
import { bundleModule } from "../trust/module-bundle.js";
import { badProbe, DIFFICULTY_LIST, PROBE_NAMES, parseModule, probeFunction, requireOptionCount } from "./probes.js";
import { commonStem, optionNames, type PromptTemplate, placeholdersOf, renderPrompt } from "./prompt.js";
import type { ChoiceProbe, ProbeDefinition, StemValues } from "./question.js";
import { buildQuestion, type ChoiceForm } from "./question-build.js";

/** Definition of a probe of one's own, besides its template. */
interface OwnDefinition {
  /** Name on the command line and in the tables, such as `COLOUR`. */
  readonly task: string;
  readonly title: string;
  /** Options of a question, 2 to 8: every order of them is asked. */
  readonly optionCount: number;
  /** None unless told otherwise: the probe has one form. */
  readonly difficulties?: readonly Difficulty[];
  /** Tells whether the example can be asked about at all; every one unless told otherwise. */
  isEligible?(example: Example): boolean;
  /** Values for the template's placeholders, besides `lang`, `code_snippet` and `code_review`. */
  stem?(example: Example): StemValues;
  /** Texts that are all different, the right one first. Called for eligible examples only. */
  options(example: Example, difficulty: Difficulty | null): readonly string[];
  /** Answer class whose commonest value makes the majority floor; none unless told otherwise. */
  answerClass?(example: Pick<Example, "changeType">): string | null;
}

/** A probe of one's own, as a module exports it under the name `probe`. Its template is a file beside it, or a text. */
export type OwnProbe = OwnDefinition & ({ readonly template: string } | { readonly templateText: string });

const definition = z.strictObject({
  ...PROBE_NAMES,
  kind: z.literal("choice", { error: "expected a probe with options to choose from" }).optional(),
  optionCount: z.number(),
  difficulties: DIFFICULTY_LIST.default([]),
  isEligible: probeFunction<NonNullable<OwnProbe["isEligible"]>>().optional(),
  stem: probeFunction<NonNullable<OwnProbe["stem"]>>().optional(),
  options: probeFunction<ChoiceProbe["options"]>(),
  answerClass: probeFunction<ChoiceProbe["answerClass"]>().optional(),
  template: z.string().min(1).optional(),
  templateText: z.string().min(1).optional(),
});

const ownModule = z.looseObject({
  probe: definition.refine(({ template, templateText }) => (template === undefined) !== (templateText === undefined), {
    error: "expected one of template (a file beside the module) and templateText (the text itself)",
  }),
});

/** Checked definition of a module. */
type CheckedDefinition = z.infer<typeof definition>;

/** @throws ProbeError `bad_input` when the module defines no probe that can be asked */
function checkDefinition(source: string, module: unknown): CheckedDefinition {
  const { probe } = parseModule(ownModule, source, module);
  requireOptionCount(source, probe);
  return probe;
}

/** A file that a probe of one's own is in. */
export interface ProbeFile {
  /** Name as it was given: goes into `run.json`. */
  readonly source: string;
  /** Absolute. */
  readonly path: string;
  /** SHA-256 that its bundle must have, when it was asked before; else `null`. */
  readonly sha256: string | null;
}

/** A probe of one's own, ready to be asked. */
export interface LoadedProbe {
  readonly probe: ChoiceProbe;
  readonly template: PromptTemplate;
  readonly source: string;
  /** SHA-256 of the module's bundled source; the template has a hash of its own. */
  readonly sha256: string;
}

/**
 * Runs the modules and checks the probes that they define.
 * @throws ProbeError `bad_input` naming the file when it defines no probe that can be asked, defines a task that there is
 * already, or is another than it was
 */
export async function loadOwnProbes(
  files: readonly ProbeFile[],
  shipped: ReadonlyMap<string, ProbeDefinition>,
): Promise<LoadedProbe[]> {
  const loaded: LoadedProbe[] = [];
  for (const file of files) {
    const own = await loadOwnProbe(file, shipped.size + loaded.length);
    const { task } = own.probe;
    const other = loaded.find(({ probe }) => probe.task === task);
    if (shipped.has(task))
      throw badProbe(
        file.source,
        `expected a task of its own, found ${task}, which comes with the program. Rename it.`,
      );
    if (other !== undefined)
      throw badProbe(
        file.source,
        `expected a task of its own, found ${task}, which ${other.source} defines too. Rename one.`,
      );
    loaded.push(own);
  }
  return loaded;
}

async function loadOwnProbe({ source, path, sha256: expected }: ProbeFile, place: number): Promise<LoadedProbe> {
  const { code, sha256: found } = await bundleModule(source, path);
  // Before anything of it runs.
  if (expected !== null && expected !== found) {
    throw badProbe(
      source,
      `expected the probe that the run was begun with (SHA-256 ${expected.slice(0, 12)}…), found another ` +
        `(${found.slice(0, 12)}…). Restore the file, or begin a new run.`,
    );
  }
  const definition = checkDefinition(source, await runModule(source, code));
  const probe = askable(source, definition, place);
  const template = await templateOf(source, path, definition);
  checkTemplate(source, probe, template);
  return { probe, template, source, sha256: found };
}

async function runModule(source: string, code: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  } catch (cause) {
    throw badProbe(source, `expected a module that can be imported, found: ${messageOf(cause)}`, cause);
  }
}

/** The probe with what its definition left out; what its functions throw names file and example. */
function askable(source: string, definition: CheckedDefinition, place: number): ChoiceProbe {
  const { task, title, difficulties, optionCount } = definition;
  const call = <T>(name: string, example: string, run: () => T): T => {
    try {
      return run();
    } catch (cause) {
      throw badProbe(source, `${name} failed for ${example}: ${messageOf(cause)}`, cause);
    }
  };
  const of = ({ id }: Pick<Example, "id">) => `the example ${id}`;
  return {
    kind: "choice",
    task,
    title,
    difficulties,
    optionCount,
    order: SHIPPED_ORDERS + place,
    isEligible: (example) => call("isEligible", of(example), () => definition.isEligible?.(example) ?? true),
    stem: (example) => ({
      ...commonStem(example),
      ...call("stem", of(example), () => definition.stem?.(example) ?? {}),
    }),
    options: (example, difficulty) => call("options", of(example), () => definition.options(example, difficulty)),
    answerClass: (example) =>
      call("answerClass", `a change of type ${example.changeType}`, () => definition.answerClass?.(example) ?? null),
  };
}

/** Above the order of every probe that comes with the program. */
const SHIPPED_ORDERS = 1000;

async function templateOf(source: string, path: string, definition: CheckedDefinition): Promise<PromptTemplate> {
  const text = definition.templateText ?? (await readTemplate(source, path, definition.template ?? ""));
  return { id: `own/${definition.task}`, text, sha256: sha256(text) };
}

async function readTemplate(source: string, path: string, template: string): Promise<string> {
  try {
    return await readText(resolve(dirname(path), template));
  } catch (cause) {
    throw badProbe(source, `expected its template at ${template} beside it, found: ${messageOf(cause)}`, cause);
  }
}

/** @throws ProbeError `bad_input` when the template lacks an option, or names what the stem of an example does not give */
function checkTemplate(source: string, probe: ChoiceProbe, template: PromptTemplate): void {
  const [named, options] = [placeholdersOf(template), optionNames(probe.optionCount)];
  const missing = options.find((name) => !named.includes(name));
  if (missing !== undefined) {
    throw badProbe(source, `expected a template with {${missing}}, one of ${probe.optionCount} options, found none.`);
  }
  const stem = sampleStem(probe);
  if (stem === null) return;
  const unknown = named.find((name) => !options.includes(name) && !Object.hasOwn(stem, name));
  if (unknown === undefined) return;
  const given = [...Object.keys(stem), ...options].map((name) => `{${name}}`).join(", ");
  throw badProbe(
    source,
    `expected a template that names only ${given}, found {${unknown}}, which the stem does not give.`,
  );
}

/** Stem of the made-up example; `null` where it cannot be known: the probe may want another. */
function sampleStem(probe: ChoiceProbe): object | null {
  try {
    return probe.isEligible(SAMPLE_EXAMPLE) ? probe.stem(SAMPLE_EXAMPLE) : null;
  } catch (error) {
    if (error instanceof ProbeError) return null;
    throw error;
  }
}

/** A made-up example with everything an example can have: what of a probe can be tried before there is data. */
export const SAMPLE_EXAMPLE: Example = {
  id: "sample",
  language: "python",
  preReviewLines: ["def add(a, b):", "    total = a - b", "", "    return total"],
  postReviewLines: ["def add(a, b):", "    total = a + b", "", "    return total"],
  review: "This subtracts: use + here.",
  changeType: "modify",
  changeTypeDistractors: ["add", "delete"],
  location: [2],
  locationDistractors: { easy: [[1], [4], [3]], hard: [[1], [3], [4]] },
  solution: "2 -     total = a - b\n2 +     total = a + b",
  solutionDistractors: {
    easy: [
      "2 -     total = a - b\n2 +     total = a * b",
      "2 -     total = a - b\n2 +     total = a / b",
      "2 -     total = a - b\n2 +     total = b - a",
    ],
    hard: [
      "2 -     total = a - b\n2 +     total = a % b",
      "2 -     total = a - b\n2 +     total = a | b",
      "2 -     total = a - b\n2 +     total = a ^ b",
    ],
  },
};

/**
 * Builds and renders a question of a probe of one's own, so that what is wrong with it is known before the first model
 * call.
 * @throws ProbeError `bad_input` naming task and example
 */
export function checkOwnQuestion(example: Example, form: ChoiceForm, template: PromptTemplate): void {
  try {
    const question = buildQuestion(0, example, form);
    if (!question.options.every((option) => typeof option === "string"))
      throw new Error("expected options that are texts.");
    renderPrompt(
      template,
      question,
      question.options.map((_, i) => i as OptionIndex),
    );
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause;
    throw badInput(
      `The probe ${form.probe.task} cannot be asked about the example ${example.id}: ${messageOf(cause)}`,
      cause,
    );
  }
}
