import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "../../../workspace/git.js";
import { readPatch } from "../../../workspace/read-patch.js";
import type { GoldSource } from "./instance.js";

/** What people did, as a patch; `null`: it is not known. */
export async function goldOf(source: GoldSource | null): Promise<Buffer | null> {
  if (source === null) return null;
  if (source.kind === "patch") return readPatch(source.path);
  const folder = await mkdtemp(join(tmpdir(), "probe-gold-"));
  try {
    const outputFile = join(folder, "gold.patch");
    const shown = ["--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
    const place = { gitDir: null, workTree: source.repository };
    await git(place, ["diff", ...shown, source.base, source.commit], { outputFile });
    return await readFile(outputFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
