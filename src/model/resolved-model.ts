import { badInput, type ProbeError } from "../base/errors.js";
import { didYouMean, nearHint, nearNames } from "../base/near-names.js";
import { shellWord, shorten } from "../base/text.js";
import type { Ask } from "../trust/claim.js";
import { CONFIG_FILE } from "./config.js";
import { publicUrl } from "./http/public-url.js";
import type { ConnectionOptions, SettingsFoundIn } from "./model.js";
import { type Alias, aliasAsk, settingsFoundIn } from "./model-aliases.js";
import { isConnectionSetting } from "./model-settings.js";
import { findVendor, VENDORS, type Vendor } from "./vendor/vendors.js";

/** Names of the providers, in the order of messages. */
function providers(): string[] {
  return ["llama", ...VENDORS.map(({ name }) => name), "scripted"];
}

/** A model by provider and name, with the settings of the alias it came from. */
export interface ResolvedModel {
  /** Name as the user typed it: the `model` column of the tables. */
  readonly label: string;
  readonly provider: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Files that named some of the settings. */
  readonly foundIn?: SettingsFoundIn;
  /** File that names the model itself: servers that the user did not name need trust then. */
  readonly namedBy?: string;
  /** Trust that is needed because a file gives a name of the program's another meaning. */
  readonly replaces?: Ask;
}

/**
 * Finds the model that `label` names: an alias, `provider:name`, or the path of a GGUF file.
 * @throws ProbeError `bad_input` with near names when it means nothing
 */
export function resolveModel(label: string, aliases: ReadonlyMap<string, Alias>): ResolvedModel {
  const alias = aliases.get(label);
  if (alias?.origin === CONFIG_FILE && meansItself(label)) throw misleadingName(label);
  const target = alias?.model ?? (label.endsWith(".gguf") && !hasProvider(label) ? `llama:${label}` : label);
  if (!hasProvider(target)) throw alias === undefined ? unknownModel(label, aliases) : unknownProvider(alias);
  const colon = target.indexOf(":");
  return {
    label,
    provider: target.slice(0, colon),
    name: target.slice(colon + 1),
    settings: alias?.settings ?? {},
    ...(alias?.origin === CONFIG_FILE && { foundIn: settingsFoundIn(alias.settings, CONFIG_FILE) }),
    ...(alias?.replacesShipped === true && { replaces: aliasAsk(alias) }),
  };
}

/**
 * A model with further settings, over those it has.
 * @param holder the file that names them; `null`: the user does
 */
export function withSettings(
  model: ResolvedModel,
  own: Readonly<Record<string, unknown>>,
  holder: string | null = null,
): ResolvedModel {
  const { foundIn, ...rest } = model;
  const kept = Object.entries(foundIn ?? {}).filter(([name]) => !Object.hasOwn(own, name));
  const found: SettingsFoundIn = {
    ...Object.fromEntries(kept),
    ...(holder !== null && settingsFoundIn(own, holder)),
  };
  const settings = { ...model.settings, ...own };
  return { ...rest, settings, ...(Object.keys(found).length > 0 && { foundIn: found }) };
}

/** `true` for a name that says by itself what it is: no alias may make it something else. */
function meansItself(label: string): boolean {
  return hasProvider(label) || label.endsWith(".gguf");
}

function misleadingName(name: string): ProbeError {
  return badInput(
    `Expected aliases in ${CONFIG_FILE} that are no provider:name and no .gguf file, found "${shorten(name, 120)}": it ` +
      "would send elsewhere what names a model by itself. Give it another name.",
  );
}

function hasProvider(target: string): boolean {
  return providers().includes(target.split(":", 1)[0] ?? "") && target.includes(":") && !target.endsWith(":");
}

function unknownModel(label: string, aliases: ReadonlyMap<string, Alias>): ProbeError {
  const found = shorten(label, 120);
  const lines = modelLines(label, providers());
  // The line that works, before all that would work besides.
  if (lines.length > 0)
    return badInput(
      `${didYouMean(lines).trim()} Expected provider:name, an alias (\`probe models\`) or a .gguf file, found "${found}".`,
    );
  return badInput(
    `Expected an alias (${[...aliases.keys()].join(", ")}), a .gguf file or provider:name with a provider of ` +
      `${providers().join(", ")}; found "${found}".${nearHint(label, [...aliases.keys()])} \`probe models\` lists the aliases.`,
  );
}

function unknownProvider({ name, model, origin }: Alias): ProbeError {
  return badInput(
    `Expected the alias "${shorten(name, 120)}" (${origin}) to be provider:name with a provider of ` +
      `${providers().join(", ")}; found "${shorten(model, 120)}".`,
  );
}

/** Connection of a run, as a record keeps it; of URLs the part that may be shown. */
interface RecordedConnection {
  readonly base_urls: string[];
  readonly api_key_env: string | null;
  readonly api_key_file: string | null;
  readonly concurrency: number | null;
}

/** The connection by options, or by the alias's settings. */
export function recordedConnection(
  connection: ConnectionOptions,
  settings: ResolvedModel["settings"],
): RecordedConnection {
  const { baseUrl, apiKeyEnv } = settings;
  const fromSettings = [baseUrl ?? []].flat().map(String);
  const urls = connection.baseUrls.length > 0 ? connection.baseUrls : fromSettings;
  const named = typeof apiKeyEnv === "string" ? apiKeyEnv : null;
  return {
    base_urls: urls.map(publicUrl),
    api_key_env: connection.apiKeyFile === null ? (connection.apiKeyEnv ?? named) : null,
    api_key_file: connection.apiKeyFile,
    concurrency: connection.concurrency,
  };
}

/** The settings that make a model what it is, as `key=value`. */
export function recordedSettings(settings: ResolvedModel["settings"]): string[] {
  return Object.entries(settings)
    .filter(([key]) => !isConnectionSetting(key))
    .map(([key, value]) => `${key}=${String(value)}`);
}

/** Longest name that a hint repeats, in characters. */
const LONGEST = 120;

/**
 * The options that may have been meant by a name that means nothing: by its vendor's prefix (`claude:…`, `openai/…`) or by
 * its model's name (`gpt-…`, `OWNER/NAME` of the hub).
 */
function modelLines(label: string, providers: readonly string[]): string[] {
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
