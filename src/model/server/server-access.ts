import { resolve } from "node:path";
import { badInput } from "../../base/errors.js";
import { shellWord } from "../../base/text.js";
import { type Ask, type KeySource, keySourceText, keyWords } from "../../trust/claim.js";
import { requireTrust } from "../../trust/require-trust.js";
import { hiddenParts, isHidden, publicUrl, requireHttp } from "../http/public-url.js";
import { readKey, requireVariableName } from "../http/secrets.js";
import type { ConnectionOptions, OpenModelOptions } from "../model.js";
import type { ServerSettings } from "../model-settings.js";
import type { Vendor } from "../vendor/vendors.js";

/** Servers of a model, and the key for them. */
export interface ServerAccess {
  readonly baseUrls: string[];
  /** `null`: none is sent. */
  readonly key: string | null;
  /** Texts that nobody is to see: the key, and secrets in URLs. */
  readonly secrets: readonly string[];
}

/** A key source, and the file that named it; `null`: the user, or the program. */
export interface NamedKey {
  readonly source: KeySource;
  readonly holder: string | null;
}

type Asked = Pick<OpenModelOptions, "label" | "connection" | "foundIn" | "onMessage">;

/**
 * The servers of a model, and the key for them. A key goes where the user said; what a file names is sent only if it was
 * trusted for that server. Says which servers these are, and whose key they get, before anything is sent.
 * @throws ProbeError `bad_input` for what is not trusted, and for a source that holds no key
 */
export async function serverAccess(asked: Asked, settings: ServerSettings, vendor: Vendor): Promise<ServerAccess> {
  const servers = chooseServers(asked, settings, vendor.baseUrl);
  const isOwn = servers.every(({ url }) => originOf(url) === originOf(vendor.baseUrl));
  const named = namedKey(asked, settings);
  const usual = usualKey(vendor);
  if (named !== null) await requireTrust(keyAsks(asked.label, servers, named, vendor));
  const source = named?.source ?? (isOwn ? usual : null);
  const key = source === null ? null : await readKey(source, named !== null);
  asked.onMessage?.(accessText(asked.label, servers, key === null ? null : source, isOwn ? null : usual));
  const baseUrls = servers.map(({ url }) => url);
  const secrets = [...(key === null ? [] : [key]), ...baseUrls.flatMap(hiddenParts)];
  return { baseUrls, key, secrets: [...new Set(secrets.flatMap(spellings))] };
}

/** A secret as it is, and as a server may repeat it: in a URL, in base64. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Behind another text base64 differs at its ends.
  return [secret, encodeURIComponent(secret), bytes.toString("base64"), bytes.toString("base64url")];
}

/** The source that the options name, or the alias; `null`: none is named. */
export function namedKey({ connection, foundIn }: Asked, { apiKeyEnv }: ServerSettings): NamedKey | null {
  const named = connectionKey(connection);
  if (named !== null) return { source: named, holder: connection.foundIn?.apiKey ?? null };
  if (apiKeyEnv === undefined) return null;
  const name = requireVariableName(apiKeyEnv, "apiKeyEnv");
  return { source: { kind: "variable", name }, holder: foundIn?.apiKeyEnv ?? null };
}

/** The key source that the options name. */
export function connectionKey({
  apiKeyEnv,
  apiKeyFile,
}: Pick<ConnectionOptions, "apiKeyEnv" | "apiKeyFile">): KeySource | null {
  if (apiKeyFile !== null) return { kind: "file", path: resolve(apiKeyFile) };
  if (apiKeyEnv === null) return null;
  return { kind: "variable", name: requireVariableName(apiKeyEnv, "--api-key-env") };
}

/** The variable that a vendor's key is in; `null`: its servers are sent none. */
export function usualKey({ keyVariable }: Vendor): KeySource | null {
  return keyVariable === null ? null : { kind: "variable", name: keyVariable };
}

/** Servers and key sources that need trust because a file names them; the vendor's own pair of them does not. */
export function keyAsks(label: string, servers: readonly ServerAddress[], key: NamedKey, vendor: Vendor): Ask[] {
  return servers.flatMap(({ url, holder: namedBy }) => {
    const origin = originOf(url);
    const isOwn = origin === originOf(vendor.baseUrl);
    const isUsual = key.source.kind === "variable" && key.source.name === vendor.keyVariable;
    const serverHolder = isOwn ? null : namedBy;
    const keyHolder = isOwn && isUsual ? null : key.holder;
    const holder = serverHolder ?? keyHolder;
    if (holder === null) return [];
    const words = `--base-url ${shellWord(publicUrl(url))} ${keyWords(key.source)}`;
    return [{ claim: { kind: "server", origin, key: key.source }, name: label, holder, words }];
  });
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** A line such as `lab: http://127.0.0.1:8000/v1 (probe.config.json), key $LAB_KEY.` */
function accessText(
  label: string,
  servers: readonly ServerAddress[],
  key: KeySource | null,
  unsent: KeySource | null,
): string {
  const places = servers.map(({ url, holder }) => `${publicUrl(url)}${holder === null ? "" : ` (${holder})`}`);
  const isNamed = servers.every(({ holder }) => holder === null);
  const isKept =
    key === null && isNamed && unsent?.kind === "variable" && (process.env[unsent.name] ?? "").trim() !== "";
  const kept = isKept ? `; $${unsent.name} is not for it (--api-key-env ${unsent.name} would send it)` : "";
  return `${label}: ${places.join(", ")}, ${key === null ? `no key${kept}` : `key ${keySourceText(key)}`}.`;
}

/** A server, and the file that named it; `null`: the user, or the program. */
interface ServerAddress {
  readonly url: string;
  readonly holder: string | null;
}

/**
 * The servers that the options name, or the alias, or `fallback`.
 * @throws ProbeError `bad_input` for what is not an http(s) URL; it is not repeated, for it may hold a key
 */
export function chooseServers(
  { connection, foundIn }: Pick<OpenModelOptions, "connection" | "foundIn">,
  settings: Pick<ServerSettings, "baseUrl">,
  fallback: string,
): ServerAddress[] {
  const named = (urls: readonly string[], holder: string | undefined) =>
    urls.map((url) => ({ url: requireServerUrl(url), holder: holder ?? null }));
  if (connection.baseUrls.length > 0) return named(connection.baseUrls, connection.foundIn?.baseUrl);
  if (settings.baseUrl !== undefined) return named([settings.baseUrl].flat(), foundIn?.baseUrl);
  return named([fallback], undefined);
}

/** @throws ProbeError `bad_input` for what is not an http(s) URL, not a whole one, or has parts that no path can follow */
export function requireServerUrl(url: string): string {
  requireHttp(url);
  const { username, password, search, hash } = new URL(url);
  if ([username, password, search, hash].some((part) => part !== "")) {
    throw badInput(
      "Expected --base-url without user, password, query and fragment, found one with them (not shown: it may hold a key). " +
        "Give a key by --api-key-env NAME.",
    );
  }
  if (isHidden(url)) {
    throw badInput(
      `Expected the whole URL of the server, found ${url}: no record keeps a key. Name it again with --base-url.`,
    );
  }
  return url.replace(/\/+$/, "");
}

/** `http://host:port/v1` → `http://host:port`. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
