import { z } from "zod";
import { isSystemError } from "../base/errors.js";
import { readText } from "../store/read-text.js";
import { outputPaths } from "./build-result.js";
import { surrogateWarning } from "./surrogate.js";

/** What the description beside built records says against their SI questions; `null`: nothing, or there is none. */
export async function recordedWarning(records: string): Promise<string | null> {
  try {
    const text = await readText(outputPaths(records).description);
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return parsed.data === undefined ? null : surrogateWarning(parsed.data);
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return null;
    throw error;
  }
}
