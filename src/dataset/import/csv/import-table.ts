import { createHash } from "node:crypto";
import { basename } from "node:path";
import { sha256OfFile } from "../../../base/sha256.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { LineWriter } from "../../../store/line-writer.js";
import { type Funnel, FunnelCounter } from "../../funnel.js";
import type { TripleLine } from "../../triple.js";
import { writeSourceFile } from "../source-file.js";

/** What became of a table. */
export interface TableImport {
  /** SHA-256 of the file that was written. */
  readonly sha256: string;
  readonly funnel: Funnel;
}

/**
 * Writes the code reviews of a table to `out`, a JSON object a line, and before it where they came from beside it: a file
 * without its description is never left. Rows that are invalid, or in a language that no probe knows, are counted and
 * left out.
 * @param path the table's file
 * @throws the signal's reason once that is aborted: nothing is written
 */
export async function importTable(
  path: string,
  lines: AsyncIterable<TripleLine>,
  out: string,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<TableImport> {
  const sourceSha256 = await sha256OfFile(path);
  const counter = new FunnelCounter();
  const hash = createHash("sha256");
  let sha256 = "";
  await writeAtomically(out, async (append) => {
    const writer = new LineWriter((text) => {
      hash.update(text);
      return append(text);
    });
    for await (const line of lines) {
      signal.throwIfAborted();
      await importLine(line, writer, counter);
    }
    await writer.flush();
    sha256 = hash.digest("hex");
    await writeSourceFile(out, {
      source: basename(path),
      source_sha256: sourceSha256,
      sha256,
      retrieved_at: now.toISOString(),
      funnel: counter.funnel(),
    });
  });
  return { sha256, funnel: counter.funnel() };
}

async function importLine(line: TripleLine, writer: LineWriter, counter: FunnelCounter): Promise<void> {
  if (line.status === "invalid") counter.drop("other", "invalid row");
  else if (line.status === "unsupported") counter.drop("other", "unsupported language");
  else {
    counter.keep(line.triple.language);
    await writer.write(line.text);
  }
}
