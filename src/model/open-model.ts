import { requireTrust } from "../trust/require-trust.js";
import type { Model, ModelProvider, OpenModelOptions } from "./model.js";
import type { ResolvedModel } from "./resolved-model.js";

type LoadProvider = () => Promise<ModelProvider>;

/** Each provider's module loads when a model of it is opened, not before. */
const PROVIDERS: Readonly<Record<string, LoadProvider>> = {
  llama: async () => (await import("./llama/provider.js")).llamaProvider,
  huggingface: async () => (await import("./huggingface/provider.js")).huggingfaceProvider,
  openai: async () => (await import("./openai/provider.js")).openaiProvider,
  scripted: async () => (await import("./scripted/provider.js")).scriptedProvider,
};

/**
 * Opens a model: checks that what files have named for it is trusted, says what is used, and only then reaches it.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function openModel(
  resolved: ResolvedModel,
  options: Omit<OpenModelOptions, "label" | "name" | "settings" | "foundIn">,
): Promise<Model> {
  const load = PROVIDERS[resolved.provider];
  if (load === undefined) throw new Error(`No provider ${resolved.provider}.`);
  const { label, name, settings, foundIn, replaces, namedBy } = resolved;
  if (namedBy !== undefined) {
    const { modelAsks } = await import("./model-asks.js");
    await requireTrust(modelAsks(resolved, options.connection).needed);
  }
  if (replaces !== undefined) {
    await requireTrust([replaces]);
    options.onMessage?.(
      `${label}: ${resolved.provider}:${name}, as ${replaces.holder} has it, not the model that comes with the program.`,
    );
  }
  const provider = await load();
  return provider.open({ ...options, label, name, settings, ...(foundIn && { foundIn }) });
}
