import { loadPromptsIn, type PromptTemplate } from "../base/prompt-template.js";
import type { ConnectionOptions, Model, ModelIdentity, OpenModelOptions } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import type { ResolvedModel } from "../model/resolved-model.js";

/** What is heard of the opening of a model. */
export type Watch = Pick<OpenModelOptions, "onDownload" | "onMessage" | "signal">;

/** Model that writes near misses, and what it is asked. */
export interface Writer {
  readonly model: Required<Pick<Model, "complete">>;
  /** Prompts `dataset/near-misses`, `dataset/near-miss-check` and `dataset/near-miss-question`. */
  readonly write: PromptTemplate;
  readonly check: PromptTemplate;
  readonly question: PromptTemplate;
}

/** Model that writes near misses, as it is named. */
export interface WriterRequest {
  readonly model: ResolvedModel;
  readonly connection: ConnectionOptions;
}

/**
 * Opens the model that writes near misses, in its own template.
 * @throws ProbeError `model_unavailable` when it cannot be reached, or writes no text
 */
export async function openWriter(
  { model: resolved, connection }: WriterRequest,
  seed: number,
  watch: Watch,
): Promise<{ readonly writer: Writer; readonly identity: ModelIdentity; close(): Promise<void> }> {
  const prompts = await loadPromptsIn("dataset", ["near-misses", "near-miss-check", "near-miss-question"]);
  const { "near-misses": write, "near-miss-check": check, "near-miss-question": question } = prompts;
  const model = await openModel(resolved, {
    promptMode: "chat",
    mode: "fast",
    seed,
    connection,
    needs: ["completions"],
    ...watch,
  });
  const complete = model.complete?.bind(model);
  if (complete === undefined) throw new Error("Expected a model that was opened to write to have the method.");
  const own = Object.entries(model.identity).map(([key, value]) => [`writer_${key}`, value]);
  const hashes = {
    writer_prompt_sha256: write.sha256,
    check_prompt_sha256: check.sha256,
    question_prompt_sha256: question.sha256,
  };
  const identity = { writer: resolved.label, ...Object.fromEntries(own), ...hashes };
  return { writer: { model: { complete }, write, check, question }, identity, close: () => model.close() };
}
