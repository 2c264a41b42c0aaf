import { ProbeError } from "../base/errors.js";
import { loadAliases } from "../model/aliases.js";
import { type ResolvedModel, resolveModel } from "../model/registry.js";
import { settings, single } from "./arguments.js";

type Text = string | readonly string[] | undefined;

/**
 * The model that `--model` names, with the settings of `--model-arg`.
 * @throws ProbeError `bad_input` when there is none, or it means nothing
 */
export async function namedModel(
  given: { readonly model?: Text; readonly modelArg?: Text },
  workingDirectory: string,
): Promise<ResolvedModel> {
  const label = single("model", given.model);
  const aliases = await loadAliases(workingDirectory);
  if (label === undefined) {
    const names = [...aliases.keys()].join(", ");
    throw new ProbeError(
      "bad_input",
      `Expected --model with an alias (${names}), a .gguf file or provider:name, found none.`,
    );
  }
  const model = resolveModel(label, aliases);
  return { ...model, settings: { ...model.settings, ...settings(given.modelArg) } };
}
