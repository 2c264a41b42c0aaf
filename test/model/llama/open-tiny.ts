import { loadAliases } from "../../../src/model/aliases.js";
import type { Model, OpenModelOptions } from "../../../src/model/model.js";
import { openModel, resolveModel } from "../../../src/model/registry.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";

/** The bundled model, with these options and settings over its own. */
export async function openTiny(
  options: Partial<Pick<OpenModelOptions, "mode" | "promptMode">> = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Model> {
  const tiny = resolveModel("tiny", await loadAliases(import.meta.dirname));
  const resolved = { ...tiny, settings: { ...tiny.settings, ...settings } };
  return openModel(resolved, { ...OPEN_OPTIONS, ...options });
}
