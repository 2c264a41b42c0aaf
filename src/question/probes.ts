import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ProbeError } from "../base/errors.js";
import { shippedProbe } from "./probe-shape.js";
import type { ProbeDefinition } from "./question.js";

/** `probes/` beside the compiled `src/`: every module there defines one probe. */
const PROBES_FOLDER = join(import.meta.dirname, "../../probes");

/**
 * All probes that come with the program, by task, in their order.
 * @throws ProbeError `bad_input` when a file defines no probe that can be asked, or two define the same task
 */
export async function loadProbes(): Promise<ReadonlyMap<string, ProbeDefinition>> {
  const files = (await readdir(PROBES_FOLDER))
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith(".d.ts"))
    .sort();
  const loaded = await Promise.all(
    files.map(async (file) => {
      const module: unknown = await import(pathToFileURL(join(PROBES_FOLDER, file)).href);
      return shippedProbe(`probes/${file}`, module);
    }),
  );
  const probes = new Map<string, ProbeDefinition>();
  for (const probe of loaded.sort((a, b) => a.order - b.order)) {
    if (probes.has(probe.task)) {
      throw new ProbeError(
        "bad_input",
        `Expected one file in probes/ for the task ${probe.task}, found two. Rename one.`,
      );
    }
    probes.set(probe.task, probe);
  }
  return probes;
}
