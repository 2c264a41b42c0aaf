import { z } from "zod";
import { readText } from "../../../store/read-text.js";
import type { HubSource } from "../source.js";
import { sourceFilePath } from "../source-file.js";
import type { Downloaded } from "./download.js";
import type { HubSnapshot } from "./snapshot.js";

const sourceFileSchema = z.object({
  /** Such as `hf:owner/name`. */
  source: z.string(),
  /** The full commit. */
  revision: z.string(),
  /** Its path in the repository. */
  file: z.string(),
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  retrieved_at: z.iso.datetime(),
  license: z.string().optional(),
});

/** `FILE.source.json`: where a fetched file came from. */
export type SourceFile = z.infer<typeof sourceFileSchema>;

export function sourceFileOf(
  { owner, name }: HubSource,
  { commit, license }: HubSnapshot,
  file: string,
  { sha256, bytes }: Downloaded,
  now: Date,
): SourceFile {
  return {
    source: `hf:${owner}/${name}`,
    revision: commit,
    file,
    sha256,
    bytes,
    retrieved_at: now.toISOString(),
    ...(license !== null && { license }),
  };
}

/** The description beside a data file; `null` when there is none that can be read. */
export async function readSourceFile(path: string): Promise<SourceFile | null> {
  try {
    return sourceFileSchema.parse(JSON.parse(await readText(sourceFilePath(path))));
  } catch {
    return null;
  }
}
