import { distance } from "fastest-levenshtein";
import { ProbeError } from "../base/errors.js";
import { shorten } from "../base/text.js";
import type { Alias } from "./aliases.js";
import type { Model, ModelProvider, OpenModelOptions } from "./model.js";

type LoadProvider = () => Promise<ModelProvider>;

/** Each provider's module loads when a model of it is opened, not before. */
const PROVIDERS: Readonly<Record<string, LoadProvider>> = {
  llama: async () => (await import("./llama/provider.js")).llamaProvider,
  huggingface: async () => (await import("./huggingface/provider.js")).huggingfaceProvider,
  openai: async () => (await import("./openai/provider.js")).openaiProvider,
  scripted: async () => (await import("./scripted/provider.js")).scriptedProvider,
};

/** A model by provider and name, with the settings of the alias it came from. */
export interface ResolvedModel {
  /** What the user typed: the `model` column of the tables. */
  readonly label: string;
  readonly provider: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Finds what `label` means: an alias, `provider:name`, or the path of a GGUF file.
 * @throws ProbeError `bad_input` with near names when it means nothing
 */
export function resolveModel(label: string, aliases: ReadonlyMap<string, Alias>): ResolvedModel {
  const alias = aliases.get(label);
  const target = alias?.model ?? (label.endsWith(".gguf") && !hasProvider(label) ? `llama:${label}` : label);
  if (!hasProvider(target)) throw alias === undefined ? unknownModel(label, aliases) : unknownProvider(alias);
  const colon = target.indexOf(":");
  return { label, provider: target.slice(0, colon), name: target.slice(colon + 1), settings: alias?.settings ?? {} };
}

function hasProvider(target: string): boolean {
  return Object.hasOwn(PROVIDERS, target.split(":", 1)[0] ?? "") && target.includes(":") && !target.endsWith(":");
}

function unknownModel(label: string, aliases: ReadonlyMap<string, Alias>): ProbeError {
  const near = [...aliases.keys()].filter((name) => distance(name, label) <= Math.max(2, label.length / 3));
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  return new ProbeError(
    "bad_input",
    `Expected an alias (${[...aliases.keys()].join(", ")}), a .gguf file or provider:name with a provider of ` +
      `${Object.keys(PROVIDERS).join(", ")}; found "${shorten(label, 120)}".${hint} \`probe models\` lists the aliases.`,
  );
}

function unknownProvider({ name, model, origin }: Alias): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected the alias "${shorten(name, 120)}" (${origin}) to be provider:name with a provider of ` +
      `${Object.keys(PROVIDERS).join(", ")}; found "${shorten(model, 120)}".`,
  );
}

/** Opens a model. */
export async function openModel(
  resolved: ResolvedModel,
  options: Omit<OpenModelOptions, "label" | "name" | "settings">,
): Promise<Model> {
  const load = PROVIDERS[resolved.provider];
  if (load === undefined) throw new Error(`No provider ${resolved.provider}.`);
  const provider = await load();
  const { label, name, settings } = resolved;
  return provider.open({ ...options, label, name, settings });
}
