import type { Ask } from "../trust/claim.js";
import { HUGGING_FACE } from "./huggingface/own-service.js";
import type { ConnectionOptions } from "./model.js";
import { OPENAI } from "./openai/own-service.js";
import type { ResolvedModel } from "./registry.js";
import { keyAsks, namedKey, type OwnService } from "./server/server-access.js";
import { chooseServers } from "./server/server-address.js";
import { parseServerSettings } from "./server/server-settings.js";

/** Providers whose models are behind servers. */
const OWN_SERVICES: ReadonlyMap<string, OwnService> = new Map([
  ["openai", OPENAI],
  ["huggingface", HUGGING_FACE],
]);

/** What files name for a model. */
export interface ModelAsks {
  /** What has to be trusted before it is opened. */
  readonly needed: readonly Ask[];
  /** Servers that are told no key: shown before they are asked, and asked. */
  readonly free: readonly Ask[];
}

/** @throws ProbeError `bad_input` for settings or addresses that no server can have */
export function modelAsks(model: ResolvedModel, connection: ConnectionOptions): ModelAsks {
  const { label, provider, foundIn, replaces } = model;
  const own = OWN_SERVICES.get(provider);
  const alias = replaces === undefined ? [] : [replaces];
  if (own === undefined) return { needed: alias, free: [] };
  const settings = parseServerSettings(model.settings);
  const asked = { label, connection, ...(foundIn && { foundIn }) };
  const servers = chooseServers(asked, settings, own.url);
  const key = namedKey(asked, settings);
  if (key !== null) return { needed: [...alias, ...keyAsks(label, servers, key, own)], free: [] };
  const free = servers.flatMap(({ url, holder }): Ask[] =>
    holder === null ? [] : [{ claim: { kind: "server", origin: new URL(url).origin, key: null }, name: label, holder }],
  );
  return { needed: alias, free };
}
