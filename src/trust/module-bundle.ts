import { readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { badInput, messageOf } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { sha256 } from "../base/sha256.js";
import { shortenLines } from "../base/text.js";

/** A module as one JavaScript text: itself and the files it imports. */
export interface ModuleBundle {
  readonly code: string;
  /** SHA-256 of the code. */
  readonly sha256: string;
}

/**
 * Turns a TypeScript or JavaScript module and the relative files it imports into one text: what is hashed, trusted and
 * run is the same. Runs nothing of it.
 * @param source as it was named, for messages
 * @throws ProbeError `bad_input` when it cannot be read, is no module, or imports a package
 */
export async function bundleModule(source: string, path: string): Promise<ModuleBundle> {
  await requireFile(source, path);
  const { build } = await import("esbuild");
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [basename(path)],
      // Paths in the code are relative to the module, so that the code is the same wherever it lies.
      absWorkingDir: dirname(path),
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      write: false,
      metafile: true,
      logLevel: "silent",
      tsconfigRaw: {},
    });
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
    const [external] = imported.filter((each) => each.external === true);
    if (external !== undefined) throw new Error(`it imports ${external.path}; only types and relative files can be`);
    const code = outputFiles[0]?.text ?? "";
    return { code, sha256: sha256(code) };
  } catch (cause) {
    throw badInput(
      `${source}: expected a module in TypeScript or JavaScript, found: ${shortenLines(messageOf(cause), 1000)}`,
      cause,
    );
  }
}

async function requireFile(source: string, path: string): Promise<void> {
  if ((await stat(path).catch(() => null))?.isFile() === true) return;
  const folder = dirname(path);
  const modules = (await readdir(folder).catch(() => [])).filter((name) => /\.[cm]?[jt]s$/.test(name));
  throw badInput(
    `${source}: expected a module in TypeScript or JavaScript, found no such file in ${folder}.` +
      nearHint(basename(path), modules),
  );
}
