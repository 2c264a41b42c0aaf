import { shellWord } from "../base/text.js";
import type { Ask } from "../trust/claim.js";
import { HUB_FILE, hubHost } from "./llama/model-file.js";
import type { ConnectionOptions } from "./model.js";
import { parseServerSettings } from "./model-settings.js";
import type { ResolvedModel } from "./resolved-model.js";
import { chooseServers, keyAsks, type NamedKey, namedKey, usualKey } from "./server/server-access.js";
import { findVendor, type Vendor } from "./vendor/vendors.js";

/** Trust that a model asks for because of what files name. */
export interface ModelAsks {
  /** Claims to be trusted before it is opened. */
  readonly needed: readonly Ask[];
  /** Servers that are told no key: shown before they are asked, and asked. */
  readonly free: readonly Ask[];
}

/** @throws ProbeError `bad_input` for settings or addresses that no server can have */
export function modelAsks(model: ResolvedModel, connection: ConnectionOptions): ModelAsks {
  const { label, provider, foundIn, replaces, namedBy } = model;
  const vendor = findVendor(provider);
  const alias = replaces === undefined ? [] : [replaces];
  if (vendor === undefined) return { needed: [...alias, ...downloadAsks(model)], free: [] };
  const settings = parseServerSettings(model.settings);
  const asked = { label, connection, ...(foundIn && { foundIn }) };
  const servers = chooseServers(asked, settings, vendor.baseUrl);
  const key = namedKey(asked, settings);
  const isTyped = connection.baseUrls.length > 0 && connection.foundIn?.baseUrl === undefined;
  if (namedBy !== undefined && !isTyped)
    return { needed: [...alias, ...servers.map(({ url }) => fullAsk(label, url, key, vendor, namedBy))], free: [] };
  if (key !== null) return { needed: [...alias, ...keyAsks(label, servers, key, vendor)], free: [] };
  const free = servers.flatMap(({ url, holder }): Ask[] =>
    holder === null ? [] : [{ claim: { kind: "server", origin: new URL(url).origin, key: null }, name: label, holder }],
  );
  return { needed: alias, free };
}

/** A server of a model that a file names: it needs trust whosever it is, for to ask it costs, and tells it of the code. */
function fullAsk(label: string, url: string, named: NamedKey | null, vendor: Vendor, holder: string): Ask {
  const { origin } = new URL(url);
  const usual = origin === new URL(vendor.baseUrl).origin ? usualKey(vendor) : null;
  const words = `--model ${shellWord(label)}`;
  return { claim: { kind: "server", origin, key: named?.source ?? usual }, name: label, holder, words };
}

/** A file that a file names, and that has to be fetched. */
function downloadAsks({ label, name, namedBy }: ResolvedModel): Ask[] {
  if (namedBy === undefined || !name.startsWith(HUB_FILE)) return [];
  const claim = { kind: "server", origin: new URL(hubHost()).origin, key: null } as const;
  return [{ claim, name: label, holder: namedBy, words: `--model ${shellWord(label)}` }];
}
