import type { z } from "zod";
import { shorten } from "../../../base/text.js";
import { ShapeError } from "./errors.js";

/**
 * What is read of a forge's reply.
 * @param what is expected, such as `a list of commits`
 * @throws ShapeError naming the first field that is of another shape
 */
export function parseReply<T>(shape: z.ZodType<T>, data: unknown, what: string, forge: string): T {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : ` at ${issue.path.join(".") || "its top"}: ${issue.message}`;
  throw new ShapeError(`not ${what} as ${forge} documents it${shorten(where, 120)}`);
}
