import { z } from "zod";
import { isSystemError } from "../base/errors.js";
import { DIFFICULTIES } from "../dataset/example.js";
import { readJsonLines } from "../dataset/json-lines.js";

const origin = z.object({
  id: z.string(),
  leaf: z.object({ text: z.string(), kind: z.string(), line: z.number() }),
  surprisalBits: z.number(),
  distractors: z.array(z.object({ difficulty: z.enum(DIFFICULTIES), replacement: z.string(), cosine: z.number() })),
});

/** How the SI distractors of an example came to be: a line of the side file of `probe dataset build`. */
export type DistractorOrigin = z.infer<typeof origin>;

/** What a side file says, by example. */
interface DistractorOrigins {
  readonly byExample: ReadonlyMap<string, DistractorOrigin>;
  /** Lines that say nothing of the kind. */
  readonly unread: number;
}

/** The side file that `probe dataset build` writes beside its records. */
export function originsPath(records: string): string {
  return `${records.replace(/\.jsonl$/, "")}.distractors.jsonl`;
}

/** Reads a side file; empty where there is none. */
export async function readOrigins(path: string): Promise<DistractorOrigins> {
  const byExample = new Map<string, DistractorOrigin>();
  let unread = 0;
  try {
    for await (const line of readJsonLines(path)) {
      const parsed = line.status === "parsed" ? origin.safeParse(line.value).data : undefined;
      if (parsed === undefined) unread++;
      else byExample.set(parsed.id, parsed);
    }
  } catch (error) {
    if (!(error instanceof Error && isSystemError(error.cause, "ENOENT"))) throw error;
  }
  return { byExample, unread };
}
