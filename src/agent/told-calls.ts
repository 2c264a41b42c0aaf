import { z } from "zod";
import { shortenLines } from "../base/text.js";
import { sealedText } from "../workspace/sealed-files.js";

/** File in the output folder of a command agent in which it may tell its calls, an object a line. */
const CALLS_FILE = "calls.jsonl";

/** The most that is read, in bytes, and kept: calls, and letters of a result. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_CALLS = 1000;
const MOST_RESULT = 4000;

const callSchema = z.object({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).catch({}),
  result: z.string().catch(""),
  /** Milliseconds since 1970. */
  at: z.number().nullable().catch(null),
});

/** A call by an agent's own word, as it stands in the notes of a trial. */
interface ToldCall {
  readonly role: "told";
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
  readonly content: string;
  /** Milliseconds before it was noted; `null`: not told. */
  readonly ago_ms: number | null;
}

/**
 * Calls that a command tells of itself. They make its story and nothing else, as nobody saw them; lines that cannot be read
 * are left out.
 * @param clean takes what is secret out of a text
 */
export async function toldCalls(
  outputFolder: string,
  clean: (text: string) => string,
  now: number,
): Promise<ToldCall[]> {
  const text = await sealedText(outputFolder, CALLS_FILE, MOST_BYTES).catch(() => null);
  const lines = clean(text ?? "").split("\n");
  return lines.flatMap((line) => callIn(line, now) ?? []).slice(0, MOST_CALLS);
}

function callIn(line: string, now: number): ToldCall | null {
  try {
    const { tool, arguments: given, result, at } = callSchema.parse(JSON.parse(line));
    return {
      role: "told",
      tool,
      arguments: JSON.stringify(given),
      content: shortenLines(result, MOST_RESULT),
      ago_ms: at === null ? null : Math.max(0, Math.round(now - at)),
    };
  } catch {
    return null;
  }
}
