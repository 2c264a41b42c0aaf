import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { JournalIndex } from "../../../store/journal-index.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import type { Generation } from "../example/generation.js";
import type { NamedRun } from "./stored-run.js";

/**
 * Streams the generations of a finished run from its journal, in the order of the run; writes nothing.
 * @throws ProbeError `bad_input` when the journal is damaged, or generations are missing
 */
export async function* readStoredGenerations({ folder, run }: NamedRun): AsyncGenerator<Generation> {
  const path = join(folder, GENERATION_JOURNAL.file);
  const index = await JournalIndex.build(path, GENERATION_JOURNAL, run.generations);
  let missing = run.generations;
  for await (const [generation] of index.byQuestion()) {
    if (generation === undefined) continue;
    missing--;
    yield generation;
  }
  if (missing === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected a finished run in ${folder}, found ${missing} of ${run.generations} generations missing. Finish it ` +
      `first: probe run --resume ${folder}`,
  );
}
