import { messageOf, ProbeError } from "../base/errors.js";
import type { OptionIndex } from "../base/symbol.js";
import type { Example } from "../dataset/example.js";
import { buildQuestion, type ChoiceForm } from "./build.js";
import { type PromptTemplate, renderPrompt } from "./template.js";

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
    throw new ProbeError(
      "bad_input",
      `The probe ${form.probe.task} cannot be asked about the example ${example.id}: ${messageOf(cause)}`,
      { cause },
    );
  }
}
