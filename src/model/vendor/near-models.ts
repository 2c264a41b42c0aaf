import { nearNames } from "../../base/near-names.js";
import { shellWord } from "../../base/text.js";
import { findVendor, VENDORS, type Vendor } from "./vendors.js";

/** Longest name that a hint repeats, in characters. */
const LONGEST = 120;

/**
 * The options that may have been meant by a name that means nothing: by its vendor's prefix (`claude:…`, `openai/…`) or by
 * its model's name (`gpt-…`, `OWNER/NAME` of the hub).
 */
export function modelLines(label: string, providers: readonly string[]): string[] {
  return label.length > LONGEST ? [] : linesFor(label, providers);
}

function linesFor(label: string, providers: readonly string[]): string[] {
  const [, prefix, name] = /^([^:/]+)[:/](.+)$/s.exec(label) ?? [];
  const maker = VENDORS.find(({ models }) => models?.test(label.toLowerCase()));
  if (maker !== undefined) return [lineOf(maker, label)];
  if (prefix === undefined || name === undefined) return [];
  const called = prefix.toLowerCase().replace(/[^a-z]/g, "");
  const vendor = VENDORS.find((each) => each.name === called || each.otherNames?.includes(called));
  // `google/gemma-2-9b` is a name of the hub.
  const isOfVendor = label.includes(":") || (vendor?.models?.test(name.toLowerCase()) ?? true);
  if (vendor !== undefined && isOfVendor) return [lineOf(vendor, name)];
  // A size behind a colon is a tag of Ollama's.
  const ollama = findVendor("ollama");
  if (ollama !== undefined && /^[\w.-]+:\d+(?:\.\d+)?b\b/i.test(label)) return [lineOf(ollama, label)];
  if (label.includes(":")) {
    const [near] = nearNames(prefix, providers);
    return near === undefined ? [] : [`--model ${shellWord(`${near}:${name}`)}`];
  }
  // A path or a name of the hub.
  return /^[\w.-]+\/[\w.-]+$/.test(label) && !label.startsWith(".") ? hubLines(label) : [];
}

/** A model of the hub, at the hub's own service or at a server that has it. */
function hubLines(label: string): string[] {
  const provider = findVendor("huggingface");
  const server = findVendor("vllm");
  return [
    ...(provider === undefined ? [] : [lineOf(provider, label)]),
    ...(server === undefined ? [] : [`(served by vLLM) --model ${shellWord(`${server.name}:${label}`)}`]),
  ];
}

/** The options that reach a model of a vendor, and take a letter that it writes where it tells no more. */
export function lineOf({ name, baseUrl, keyVariable, logprobs }: Vendor, model: string): string {
  const place = needsBaseUrl(baseUrl) ? ` --base-url ${baseUrl} --api-key-env ${keyVariable ?? ""}` : "";
  return `--model ${shellWord(`${name}:${model}`)}${place} --prompt-mode chat${logprobs === "no" ? " --allow-generated" : ""}`;
}

/** `true` for the pattern of a base URL that each user has another of. */
export function needsBaseUrl(baseUrl: string): boolean {
  return baseUrl.includes("RESOURCE");
}
