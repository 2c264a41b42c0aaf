import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../base/folders.js";
import { sha256 } from "../base/sha256.js";
import { VARIABLE_NAME } from "../base/text.js";
import type { Ask } from "../trust/claim.js";
import { aliasSchema, CONFIG_FILE, readConfig } from "./config.js";
import { HIDDEN, publicUrl } from "./http/public-url.js";
import type { SettingsFoundIn } from "./model.js";
import { isOpenSetting } from "./model-settings.js";

const aliasFileSchema = z.record(z.string(), aliasSchema);

/** A model under a name of its own on the command line. */
export interface Alias extends z.infer<typeof aliasSchema> {
  readonly name: string;
  readonly origin: "shipped" | typeof CONFIG_FILE;
  /** `true` where it takes the place of a shipped one of the same name, which needs trust. */
  readonly replacesShipped?: true;
}

/**
 * The aliases shipped in `models/aliases.json` and those of `probe.config.json` in `workingDirectory`, which win.
 * @throws ProbeError `bad_input` when the user's file is not as expected
 */
export async function loadAliases(workingDirectory: string): Promise<ReadonlyMap<string, Alias>> {
  const shipped = aliasFileSchema.parse(JSON.parse(await readFile(join(packageRoot, "models/aliases.json"), "utf8")));
  const own = (await readConfig(workingDirectory)).models;
  const isShipped = (name: string) => Object.hasOwn(shipped, name);
  return new Map<string, Alias>([
    ...Object.entries(shipped).map(([name, alias]) => [name, { ...alias, name, origin: "shipped" }] as const),
    ...Object.entries(own).map(([name, alias]) => {
      const replaces = isShipped(name) ? ({ replacesShipped: true } as const) : {};
      return [name, { ...alias, name, origin: CONFIG_FILE, ...replaces }] as const;
    }),
  ]);
}

/** Trust for an alias that takes the place of a shipped one: of its name, and of all that it means. */
export function aliasAsk({ name, model, settings, origin }: Alias): Ask {
  const meaning = JSON.stringify([model, Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return { claim: { kind: "alias", name, sha256: sha256(meaning) }, name, holder: origin };
}

/** The settings among these by which a secret may leave, as named by `holder`. */
export function settingsFoundIn(settings: Readonly<Record<string, unknown>>, holder: string): SettingsFoundIn {
  return {
    ...(settings["baseUrl"] !== undefined && { baseUrl: holder }),
    ...(settings["apiKeyEnv"] !== undefined && { apiKeyEnv: holder }),
  };
}

/** An alias as it may be shown: without the secrets of its URLs, and of settings that no provider knows their names. */
export function publicAlias({ settings, ...alias }: Alias): Alias {
  return {
    ...alias,
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, publicSetting(name, value)])),
  };
}

function publicSetting(name: string, value: unknown): unknown {
  if (isOpenSetting(name)) return value;
  if (name === "apiKeyEnv" && typeof value === "string" && VARIABLE_NAME.test(value)) return value;
  if (name === "baseUrl") return Array.isArray(value) ? value.map(shownUrl) : shownUrl(value);
  return HIDDEN;
}

function shownUrl(value: unknown): string {
  return typeof value === "string" && URL.canParse(value) ? publicUrl(value) : HIDDEN;
}
