import { z } from "zod";
import { ProbeError } from "../base/errors.js";

/**
 * The settings of a model, checked by its provider's schema; `what` names the kind of model.
 * @throws ProbeError `bad_input` naming the setting and those that are known
 */
export function parseSettings<T extends z.ZodObject>(
  schema: T,
  what: string,
  settings: Readonly<Record<string, unknown>>,
): z.infer<T> {
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape).join(", ");
  throw new ProbeError(
    "bad_input",
    `Expected settings of a ${what} model (${known}), found:\n${z.prettifyError(parsed.error)}`,
  );
}
