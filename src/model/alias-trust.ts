import { sha256 } from "../base/sha256.js";
import type { Ask } from "../trust/claim.js";
import type { Alias } from "./aliases.js";
import type { SettingsFoundIn } from "./model.js";

/** What has to be trusted for an alias to take the place of a shipped one: its name, and all that it means. */
export function aliasAsk({ name, model, settings, origin }: Alias): Ask {
  const meaning = JSON.stringify([model, Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return { claim: { kind: "alias", name, sha256: sha256(meaning) }, name, holder: origin };
}

/** The settings among these that say where a secret may go, as those that `holder` names. */
export function settingsFoundIn(settings: Readonly<Record<string, unknown>>, holder: string): SettingsFoundIn {
  return {
    ...(settings["baseUrl"] !== undefined && { baseUrl: holder }),
    ...(settings["apiKeyEnv"] !== undefined && { apiKeyEnv: holder }),
  };
}
