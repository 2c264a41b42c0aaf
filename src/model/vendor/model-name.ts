import { basename } from "node:path";
import type { ModelIdentity } from "../model.js";
import { findVendor } from "./vendors.js";

/** A model as records have it. */
export interface NamedModel {
  /** Name as the user typed it. */
  readonly label: string;
  readonly identity: ModelIdentity;
}

/**
 * The model's own name, by which tables, pages and folders know it: of a model behind a server, the name that the server
 * has it by (`openai:auto` names no model); of any other, the name that the user typed.
 */
export function modelName({ label, identity }: NamedModel): string {
  const { provider, name, model } = identity;
  if (typeof provider !== "string" || findVendor(provider) === undefined) return label;
  // TGI is asked by any name, and tells its own.
  const own = typeof model === "string" ? model : name;
  if (typeof own !== "string" || own === "" || own === "auto") return label;
  // llama.cpp's server names a file by its path.
  return own.endsWith(".gguf") ? basename(own.replaceAll("\\", "/")) : own;
}

/** The way to a model whose own name does not say it: as it was typed, and at which servers; the version of an agent. */
export function wayTo(
  model: NamedModel & { readonly connection: { readonly base_urls: readonly string[] } },
): string[] {
  const { label, connection, identity } = model;
  if (identity["provider"] === "agent" && identity["version"] != null)
    return [`version ${String(identity["version"])}`];
  if (modelName(model) === label) return [];
  return [`by ${[label, ...connection.base_urls].join(" at ")}`];
}
