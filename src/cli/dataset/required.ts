import { ProbeError } from "../../base/errors.js";
import { single } from "../../console/arguments.js";

/**
 * The value of an option that must stand once.
 * @throws ProbeError `bad_input` when it is absent, empty, or there twice
 */
export function required(option: string, values: string | readonly string[] | undefined): string {
  const value = single(option, values);
  if (value !== undefined) return value;
  throw new ProbeError("bad_input", `Expected a value for --${option}, found none. See --help.`);
}
