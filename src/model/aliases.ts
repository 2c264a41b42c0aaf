import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../base/folders.js";
import { aliasSchema, CONFIG_FILE, readConfig } from "./config.js";

const aliasFileSchema = z.record(z.string(), aliasSchema);

/** What a name on the command line stands for. */
export interface Alias extends z.infer<typeof aliasSchema> {
  readonly name: string;
  readonly origin: "shipped" | typeof CONFIG_FILE;
  /** Set where it takes the place of a shipped one of the same name, which needs trust. */
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
