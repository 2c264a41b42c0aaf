import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ProbeError } from "../../../base/errors.js";
import type { ProbeDefinition } from "../example/question.js";

/** `probes/` beside the compiled `src/`: every module there defines one probe. */
const PROBES_FOLDER = join(import.meta.dirname, "../../../../probes");

/**
 * All probes, by task, in the order in which the paper builds on them.
 * @throws ProbeError when two files define the same task
 */
export async function loadProbes(): Promise<ReadonlyMap<string, ProbeDefinition>> {
  const files = (await readdir(PROBES_FOLDER))
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith(".d.ts"))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(PROBES_FOLDER, file)).href) as Promise<{ probe: ProbeDefinition }>),
  );
  const probes = new Map<string, ProbeDefinition>();
  for (const { probe } of modules.sort((a, b) => rank(a.probe) - rank(b.probe))) {
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

const ORDER = ["CTR", "CL", "SI", "ACR"];

function rank(probe: ProbeDefinition): number {
  const position = ORDER.indexOf(probe.task);
  return position === -1 ? ORDER.length : position;
}
