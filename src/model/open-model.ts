import type { Model, OpenModelOptions } from "./model.js";
import type { ResolvedModel } from "./resolved-model.js";
import { findVendor } from "./vendor/vendors.js";

/** Opens a model; each provider's module loads when a model of it is opened, not before. */
type Open = (options: OpenModelOptions) => Promise<Model>;

async function loadProvider(name: string): Promise<Open> {
  if (name === "llama") return (await import("./llama/open-llama.js")).openLlama;
  if (name === "scripted") return (await import("./scripted/scripted-model.js")).openScripted;
  const vendor = findVendor(name);
  if (vendor === undefined) throw new Error(`No provider ${name}.`);
  const { openServer } = await import("./server/open-server.js");
  return (options) => openServer(vendor, options);
}

/**
 * Opens a model: checks that all that files name for it is trusted, says what is used, and only then reaches it.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function openModel(
  resolved: ResolvedModel,
  options: Omit<OpenModelOptions, "label" | "name" | "settings" | "foundIn">,
): Promise<Model> {
  const { label, name, settings, foundIn, replaces, namedBy } = resolved;
  if (namedBy !== undefined || replaces !== undefined) {
    const [{ modelAsks }, { requireTrust }] = await Promise.all([
      import("./model-asks.js"),
      import("../trust/require-trust.js"),
    ]);
    if (namedBy !== undefined) await requireTrust(modelAsks(resolved, options.connection).needed);
    if (replaces !== undefined) await requireTrust([replaces]);
  }
  if (replaces !== undefined) {
    options.onMessage?.(
      `${label}: ${resolved.provider}:${name}, as ${replaces.holder} has it, not the model that comes with the program.`,
    );
  }
  const open = await loadProvider(resolved.provider);
  return open({ ...options, label, name, settings, ...(foundIn && { foundIn }) });
}
