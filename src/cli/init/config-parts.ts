import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { badInput, type ProbeError } from "../../base/errors.js";
import { nearHint } from "../../base/near-names.js";
import { shellWord, shorten } from "../../base/text.js";
import { datasetFile, isImportSource, readDataset } from "../../dataset/dataset-file.js";
import { parseImportSource } from "../../dataset/import/import-source.js";
import { requireFile, TABLE_ENDING } from "../../dataset/json-lines.js";
import { readTriples } from "../../dataset/triple.js";
import { CONFIG_FILE, type ConfigValue } from "../../model/config.js";
import { isPublic } from "../../model/http/public-url.js";
import { requireVariableName } from "../../model/http/secrets.js";
import { NO_CONNECTION } from "../../model/model.js";
import { loadAliases } from "../../model/model-aliases.js";
import { modelAsks } from "../../model/model-asks.js";
import { parseServerSettings } from "../../model/model-settings.js";
import { type ResolvedModel, resolveModel } from "../../model/resolved-model.js";
import { requireServerUrl } from "../../model/server/server-access.js";
import { findVendor } from "../../model/vendor/vendors.js";
import { trustCommand } from "../../trust/claim.js";
import type { InitAnswers } from "../command-options.js";

/** The model in `probe.config.json`, and on a command line that no such file helps. */
export interface ModelPart {
  /** As `run` names it. */
  readonly label: string;
  /** Alias of that name; `null`: it needs none. */
  readonly alias: { readonly model: string; readonly settings: Readonly<Record<string, ConfigValue>> } | null;
  /** Options that name the model and its server; none where `run` is enough. */
  readonly words: readonly string[];
  /** Variable that holds the server's key; `null`: none. */
  readonly keyVariable: string | null;
  /** Commands by which the file may name that server, and its key. */
  readonly trust: readonly string[];
  /** True for models that the engine runs in this process. */
  readonly needsEngine: boolean;
}

/** Name of the alias that stands for a server. */
const SERVER_ALIAS = "server";

const BUNDLED_MODEL = "tiny";
const FIRST_OF_SERVER = "openai:auto";

/**
 * The model that somebody has.
 * @throws ProbeError `bad_input` where it is none, or where a file would come to hold a key
 */
export async function modelPart(
  { model, baseUrl, apiKeyEnv }: Pick<InitAnswers, "model" | "baseUrl" | "apiKeyEnv">,
  workingDirectory: string,
): Promise<ModelPart> {
  const urls = baseUrl.map(requirePublicUrl);
  const key = apiKeyEnv === null ? null : requireVariableName(apiKeyEnv, "--api-key-env");
  const label = model ?? (urls.length > 0 ? FIRST_OF_SERVER : BUNDLED_MODEL);
  const resolved = resolveModel(label, await loadAliases(workingDirectory));
  if (urls.length === 0 && key === null) return await partByName(resolved, workingDirectory);
  if (findVendor(resolved.provider) === undefined) throw noServerModel(label);
  // What an alias says and no option does stays, as in a run: without its server, the key would go to the vendor's.
  const settings = {
    ...resolved.settings,
    ...(urls.length > 0 && { baseUrl: urls.length === 1 ? (urls[0] ?? "") : urls }),
    ...(key !== null && { apiKeyEnv: key }),
  };
  const alias = { model: `${resolved.provider}:${resolved.name}`, settings };
  const trusted = trustOf({ ...resolved, settings });
  return { label: SERVER_ALIAS, alias, words: serverWords(label, settings), ...trusted, needsEngine: false };
}

/** A model that its name alone leads to. */
async function partByName(resolved: ResolvedModel, workingDirectory: string): Promise<ModelPart> {
  await requireModelFile(resolved, workingDirectory);
  const { label, provider } = resolved;
  const trusted = trustOf(resolved);
  const settings = findVendor(provider) === undefined ? {} : resolved.settings;
  // Nothing is trusted where a job runs: what it types needs no trust, what the file names does.
  const words = trusted.trust.length === 0 ? [] : serverWords(label, settings);
  return { label, alias: null, words, ...trusted, needsEngine: provider === "llama" };
}

function serverWords(label: string, settings: ResolvedModel["settings"]): string[] {
  const { baseUrl = [], apiKeyEnv } = parseServerSettings(settings);
  const servers = [baseUrl].flat().flatMap((url) => ["--base-url", url]);
  return ["--model", label, ...servers, ...(apiKeyEnv === undefined ? [] : ["--api-key-env", apiKeyEnv])];
}

/** What is to be trusted before the file may name a model. */
function trustOf(model: ResolvedModel): Pick<ModelPart, "trust" | "keyVariable"> {
  const { needed } = modelAsks({ ...model, namedBy: CONFIG_FILE }, NO_CONNECTION);
  const claims = needed.map(({ claim }) => claim);
  const keys = claims.flatMap((claim) => (claim.kind === "server" && claim.key?.kind === "variable" ? claim.key : []));
  return { trust: [...new Set(claims.map(trustCommand))], keyVariable: keys[0]?.name ?? null };
}

function requirePublicUrl(url: string): string {
  const server = requireServerUrl(url);
  if (isPublic(server)) return server;
  throw badInput(
    "Expected --base-url without a key in it, as a file will hold it, found what may be one (not shown). " +
      "Put the key into a variable, and name that: --api-key-env LAB_KEY",
  );
}

function noServerModel(label: string): ProbeError {
  return badInput(
    `Expected provider:name of a server for --model beside --base-url and --api-key-env, found ` +
      `"${shorten(label, 120)}". Such as --model ${FIRST_OF_SERVER}`,
  );
}

/** A model file that is named by its path is there. */
async function requireModelFile({ label, name }: ResolvedModel, workingDirectory: string): Promise<void> {
  const path = resolve(workingDirectory, name);
  if (!label.endsWith(".gguf") || name.includes(":") || existsSync(path)) return;
  const files = await readdir(dirname(path)).catch(() => []);
  const models = files.filter((file) => file.endsWith(".gguf"));
  throw badInput(
    `Expected a .gguf file for --model, found none at ${shellWord(shorten(label, 120))}.` +
      (nearHint(basename(path), models) || " Check the path."),
  );
}

/** The data in `probe.config.json`, and the commands that make them first. */
interface ReviewsPart {
  /** As `run` names it; `null`: the starter set. */
  readonly dataset: string | null;
  /** Words behind `probe`. */
  readonly commands: readonly (readonly string[])[];
}

const RAW = "raw.jsonl";
const BENCHMARK = "bench.jsonl";
const BUILD = ["dataset", "build"];
const IMPORT = ["dataset", "import"];
const OUT = "--out";

/**
 * The reviews that somebody has: a benchmark, or what becomes one.
 * @throws ProbeError `bad_input` where they are none
 */
export async function reviewsPart(reviews: string | null): Promise<ReviewsPart> {
  if (reviews === null || datasetFile(reviews) !== reviews) return { dataset: null, commands: [] };
  const isElsewhere = isImportSource(reviews) || reviews.includes("://");
  if (isElsewhere || TABLE_ENDING.test(reviews)) return await importedPart(reviews);
  if ((await formOf(reviews)) === "benchmark") return { dataset: reviews, commands: [] };
  return { dataset: BENCHMARK, commands: [[...BUILD, reviews, OUT, BENCHMARK]] };
}

async function importedPart(reviews: string): Promise<ReviewsPart> {
  const { kind } = parseImportSource(reviews);
  if (kind === "table") await requireFile(reviews, "a table");
  const isBenchmark = kind === "hub";
  const commands = isBenchmark
    ? [[...IMPORT, reviews, OUT, BENCHMARK]]
    : [
        [...IMPORT, reviews, OUT, RAW],
        [...BUILD, RAW, OUT, BENCHMARK],
      ];
  return { dataset: BENCHMARK, commands };
}

/** Lines by which a file is known. */
const KNOWN_BY = 100;

/** Form of a file of reviews, by its first lines. */
async function formOf(path: string): Promise<"benchmark" | "reviews"> {
  if (await hasValid(readDataset(path))) return "benchmark";
  if (await hasValid(readTriples(path))) return "reviews";
  throw badInput(
    `Expected reviews in ${shorten(path, 120)}, found none in its first lines. Each problem: ` +
      `probe dataset validate ${shellWord(path)}`,
  );
}

async function hasValid(lines: AsyncIterable<{ readonly status: string }>): Promise<boolean> {
  let seen = 0;
  for await (const { status } of lines) {
    if (status === "valid") return true;
    seen++;
    if (seen === KNOWN_BY) break;
  }
  return false;
}
