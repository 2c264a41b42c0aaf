import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineVersion, readEngineLock } from "../../../../src/model/llama/package/engine-lock.js";

/** Writes a package of the engine, in the version that is used, with this module as its entry. */
export function writeEnginePackage(folder: string, name: string, main = ""): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const version = engineVersion(readEngineLock());
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, version, type: "module", main: "main.js" }));
  writeFileSync(join(place, "main.js"), main);
}
