import { ProbeError } from "../../../base/errors.js";
import { shellWord } from "../../../base/text.js";
import type { Generation } from "../answer/generation.js";
import { generationsIndex } from "./journals.js";
import type { NamedRun } from "./stored-run.js";

/**
 * Streams the generations of a finished run from its journal, in the order of the run; writes nothing.
 * @throws ProbeError `bad_input` when the journal is damaged, or generations are missing
 */
export async function* readStoredGenerations({ folder, run }: NamedRun): AsyncGenerator<Generation> {
  const index = await generationsIndex(folder, run);
  let missing = run.generations;
  for await (const [generation] of index.byItem()) {
    if (generation === undefined) continue;
    missing--;
    yield generation;
  }
  if (missing === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected a finished run in ${folder}, found ${missing} of ${run.generations} generations missing. Finish it ` +
      `first: probe run --resume ${shellWord(folder)}`,
  );
}
