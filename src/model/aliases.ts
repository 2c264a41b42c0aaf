import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isSystemError, messageOf, ProbeError } from "../domain/errors.js";
import { packageRoot } from "../file/package-root.js";

const aliasSchema = z.strictObject({
  /** `provider:name`. */
  model: z.string().regex(/^[a-z]+:.+$/s, { error: "expected provider:name" }),
  description: z.string().optional(),
  /** Given to the provider. */
  settings: z.record(z.string(), z.unknown()).default({}),
});

const aliasFileSchema = z.record(z.string(), aliasSchema);
const configSchema = z.strictObject({ models: aliasFileSchema.default({}) });

export interface Alias extends z.infer<typeof aliasSchema> {
  readonly name: string;
  readonly origin: "shipped" | "probe.config.json";
}

/** The name of the file in the working directory whose `models` are aliases too, before the shipped ones. */
export const CONFIG_FILE = "probe.config.json";

/**
 * The aliases shipped in `models/aliases.json` and those of `probe.config.json` in `workingDirectory`, which win.
 * @throws ProbeError `bad_input` when the user's file is not as expected
 */
export async function loadAliases(workingDirectory: string): Promise<ReadonlyMap<string, Alias>> {
  const shipped = aliasFileSchema.parse(JSON.parse(await readFile(join(packageRoot, "models/aliases.json"), "utf8")));
  const own = await readConfig(join(workingDirectory, CONFIG_FILE));
  const named = (models: z.infer<typeof aliasFileSchema>, origin: Alias["origin"]) =>
    Object.entries(models).map(([name, alias]): [string, Alias] => [name, { ...alias, name, origin }]);
  return new Map([...named(shipped, "shipped"), ...named(own, CONFIG_FILE)]);
}

async function readConfig(path: string): Promise<z.infer<typeof aliasFileSchema>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return {};
    throw new ProbeError("bad_input", `Expected to read ${CONFIG_FILE}, found: ${messageOf(error)}`, { cause: error });
  }
  try {
    return configSchema.parse(JSON.parse(text)).models;
  } catch (error) {
    const found = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    const expected = '{"models": {"name": {"model": "provider:name", "settings": {}}}}';
    throw new ProbeError("bad_input", `Expected ${CONFIG_FILE} to hold ${expected}, found:\n${found}`, {
      cause: error,
    });
  }
}
