import { z } from "zod";
import type { Difficulty, Example } from "../dataset/example.js";
import { DIFFICULTY_LIST, PROBE_NAMES, parseModule, probeFunction, requireOptionCount } from "./probe-shape.js";
import type { ChoiceProbe, StemValues } from "./question.js";

/** What a probe of one's own says of itself, besides its template. */
interface OwnDefinition {
  /** Name on the command line and in the tables, such as `COLOUR`. */
  readonly task: string;
  readonly title: string;
  /** Options of a question, 2 to 8: every order of them is asked. */
  readonly optionCount: number;
  /** None unless told otherwise: the probe has one form. */
  readonly difficulties?: readonly Difficulty[];
  /** Whether the example can be asked about at all; every one unless told otherwise. */
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

/** What a module defines, checked. */
export type CheckedDefinition = z.infer<typeof definition>;

/** @throws ProbeError `bad_input` when the module defines no probe that can be asked */
export function checkDefinition(source: string, module: unknown): CheckedDefinition {
  const { probe } = parseModule(ownModule, source, module);
  requireOptionCount(source, probe);
  return probe;
}
