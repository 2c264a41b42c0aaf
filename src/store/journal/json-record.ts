import { z } from "zod";
import type { JournalCodec } from "./codec.js";

/** How records that JSON holds as they are become lines: what comes back is what the schema lets pass, or an error that says why not. */
export function jsonRecord<T>(schema: z.ZodType<T>): Pick<JournalCodec<T>, "encode" | "decode"> {
  return {
    encode: (record) => JSON.stringify(record),
    decode: (line) => {
      const parsed = schema.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
      throw new Error(z.prettifyError(parsed.error), { cause: parsed.error });
    },
  };
}
