import { ProbeError } from "../base/errors.js";
import { loadAliases } from "../model/aliases.js";
import { type ResolvedModel, resolveModel } from "../model/registry.js";
import { settings } from "./arguments.js";

/**
 * The model that `--model` names, with the settings of `--model-arg`.
 * @throws ProbeError `bad_input` when there is none, or it means nothing
 */
export async function namedModel(
  given: { readonly model: string | null; readonly modelArg: readonly string[] },
  workingDirectory: string,
): Promise<ResolvedModel> {
  const { model: label } = given;
  const aliases = await loadAliases(workingDirectory);
  if (label === null) {
    const names = [...aliases.keys()].join(", ");
    throw new ProbeError(
      "bad_input",
      `Expected --model with an alias (${names}), a .gguf file or provider:name, found none.`,
    );
  }
  const model = resolveModel(label, aliases);
  return { ...model, settings: { ...model.settings, ...settings(given.modelArg) } };
}
