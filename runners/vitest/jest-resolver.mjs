import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

let job = null;

/** Says whose modules are found, and where stubs may be written. */
export function setJob(own) {
  job = own;
}

/** Resolver of Jest, in the same process as `setJob`. */
export function sync(specifier, options) {
  const { places, runner } = job;
  const { basedir, defaultResolver } = options;
  if (!places.isOfFixture(basedir)) return defaultResolver(specifier, options);
  const found = places.lead(specifier, basedir);
  if (found !== null) {
    if (found.file !== undefined) return found.file;
    if (found.stub !== undefined) return stubAt(found.stub);
    return defaultResolver(specifier, options);
  }
  try {
    return defaultResolver(specifier, { ...options, basedir: runner });
  } catch (error) {
    if (places.isStub(specifier)) return stubAt(specifier);
    throw error;
  }
}

function stubAt(name) {
  const folder = join(job.out, "stubs");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash("sha256").update(name).digest("hex")}.js`);
  writeFileSync(path, "exports.default = {};\n");
  return path;
}
