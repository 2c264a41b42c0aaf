/**
 * Kind of trouble; the command line maps each to its exit code.
 * - `bad_input`: usage or data the user can correct (exit 2)
 * - `model_unavailable`: the model cannot be had or cannot be trusted (exit 3)
 */
export type ProbeErrorCode = "bad_input" | "model_unavailable";

/** An error whose message says what was expected, what was found and what to do. */
export class ProbeError extends Error {
  override readonly name = "ProbeError";
  readonly code: ProbeErrorCode;

  constructor(code: ProbeErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** An error of usage or data that the user can correct. @param cause what was thrown first */
export function badInput(message: string, cause?: unknown): ProbeError {
  return new ProbeError("bad_input", message, cause === undefined ? undefined : { cause });
}

/** An error of a model that cannot be had, or cannot be trusted. @param cause what was thrown first */
export function modelUnavailable(message: string, cause?: unknown): ProbeError {
  return new ProbeError("model_unavailable", message, cause === undefined ? undefined : { cause });
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Handler of a failed read that gives something else where there is nothing to read, and throws any other error again.
 * @param codes of system errors that say so
 */
export function whereMissing<T>(instead: T, ...codes: readonly string[]): (error: unknown) => T {
  const known = codes.length === 0 ? ["ENOENT"] : codes;
  return (error) => {
    if (known.some((code) => isSystemError(error, code))) return instead;
    throw error;
  };
}

/** Tells whether `error` is a system error with this `code`, such as `ENOENT`. */
export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** No room on the disk, too many open files, no memory, a disk that fails or is read-only. */
const OF_MACHINE = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EIO", "EROFS"];

/** Tells whether `error`, or what caused it, is a system error that says something of the machine, not of a file. */
export function isOfMachine(error: unknown): boolean {
  if (OF_MACHINE.some((code) => isSystemError(error, code))) return true;
  return error instanceof Error && isOfMachine(error.cause);
}
