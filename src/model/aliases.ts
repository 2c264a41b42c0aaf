import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../base/package-root.js";
import { aliasSchema, CONFIG_FILE, readConfig } from "./config.js";

const aliasFileSchema = z.record(z.string(), aliasSchema);

/** What a name on the command line stands for. */
export interface Alias extends z.infer<typeof aliasSchema> {
  readonly name: string;
  readonly origin: "shipped" | typeof CONFIG_FILE;
}

/**
 * The aliases shipped in `models/aliases.json` and those of `probe.config.json` in `workingDirectory`, which win.
 * @throws ProbeError `bad_input` when the user's file is not as expected
 */
export async function loadAliases(workingDirectory: string): Promise<ReadonlyMap<string, Alias>> {
  const shipped = aliasFileSchema.parse(JSON.parse(await readFile(join(packageRoot, "models/aliases.json"), "utf8")));
  const own = (await readConfig(workingDirectory)).models;
  const named = (models: z.infer<typeof aliasFileSchema>, origin: Alias["origin"]) =>
    Object.entries(models).map(([name, alias]): [string, Alias] => [name, { ...alias, name, origin }]);
  return new Map([...named(shipped, "shipped"), ...named(own, CONFIG_FILE)]);
}
