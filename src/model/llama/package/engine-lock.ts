import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../../../base/folders.js";

/** The package that runs GGUF models. */
export const ENGINE = "node-llama-cpp";

const entrySchema = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
});
const lockSchema = z.looseObject({
  packages: z.record(z.string(), entrySchema).refine((packages) => packages[placeOf(ENGINE)]?.version !== undefined),
});

/** npm's lock file of the engine: every package by version, and by hash where it is known. */
export type EngineLock = z.infer<typeof lockSchema>;

/** The lock file that comes with this program. */
export function readEngineLock(): EngineLock {
  return lockSchema.parse(JSON.parse(readFileSync(join(packageRoot, "vendor/engine/lock.json"), "utf8")));
}

/** The only version that is used. */
export function engineVersion({ packages }: EngineLock): string {
  return packages[placeOf(ENGINE)]?.version ?? "";
}

/**
 * Lock file by which npm installs the engine with some of its builds: those are needed, the others optional and left out.
 * @returns the contents of `package.json` and `package-lock.json`, and the packages among them whose hash is not known
 */
export function lockWith(lock: EngineLock, builds: readonly string[]): ChosenLock {
  const dependencies = Object.fromEntries([ENGINE, ...builds].map((name) => [name, engineVersion(lock)]));
  const manifest = { name: "probe-engine", private: true, dependencies };
  const packages = Object.fromEntries(
    Object.entries(lock.packages).map(([place, entry]) => {
      if (place === "") return [place, manifest];
      const { optional: _, ...needed } = entry;
      return [place, builds.some((name) => placeOf(name) === place) ? needed : entry];
    }),
  );
  const unhashed = builds.filter((name) => lock.packages[placeOf(name)]?.integrity === undefined);
  return { manifest, lock: { ...lock, packages }, unhashed };
}

/** Lock file of an install, and its manifest. */
interface ChosenLock {
  readonly manifest: unknown;
  readonly lock: unknown;
  readonly unhashed: readonly string[];
}

function placeOf(name: string): string {
  return `node_modules/${name}`;
}
