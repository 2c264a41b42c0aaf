import { badInput, messageOf, modelUnavailable, ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { isUnreachable, withoutToken } from "../host-requests.js";
import type { ForgeAccess, ForgeWords } from "./forge.js";

/** A forge answered with something other than its documented shape. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

/** A forge answered with an error. */
export class ReplyError extends Error {
  override readonly name = "ReplyError";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Context extends Pick<ForgeAccess, "apiUrl" | "token"> {
  readonly words: ForgeWords;
  /** `owner/repo`. */
  readonly repository: string;
}

const LATER = "The same command goes on where this one stopped.";

/** Explains an error of a forge, and says what to do about it. */
export function explainForgeError(error: unknown, context: Context): unknown {
  const { words, apiUrl, repository, token } = context;
  if (error instanceof ProbeError || isSystemFault(error)) return error;
  if (isUnreachable(error)) {
    return unavailable(
      `Expected to reach ${words.name} at ${apiUrl}, found no network to it. Check the network, or set ` +
        `${words.apiVariables[0]} to the API of your own server. ${LATER}`,
      error,
    );
  }
  const status = error instanceof ReplyError ? error.status : null;
  const message = shorten(withoutToken(messageOf(error), token), 200);
  if (status === 401) return badToken(context, error);
  if (status === 403 || status === 429) return refused(status, message, context, error);
  if (status === 404) return notThere(context, error);
  const found = status === null ? message : `${status}: ${message}`;
  return unavailable(
    `Expected ${words.name} to answer for ${shorten(repository, 120)}, found ${found}. ${LATER}`,
    error,
  );
}

/** A fault of this machine (a full disk), not of the forge. */
function isSystemFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}

function badToken({ words, token }: Context, cause: unknown): ProbeError {
  const found =
    token === null
      ? `none was sent, and this server wants one. Set ${words.tokenVariables[0]}`
      : `it does not accept the one in $${token.variable} (401). It may have expired: make a new one, or unset it to read ` +
        "what is public without";
  return unavailable(`Expected a token that ${words.name} accepts, found: ${found}.`, cause);
}

function refused(status: number, message: string, context: Context, cause: unknown): ProbeError {
  const { words, repository, token } = context;
  const advice =
    status === 429 || /rate limit/i.test(message)
      ? "The limit did not lift while this program waited."
      : token === null
        ? `Set ${words.tokenVariables[0]} to a token that may read it.`
        : `Check that the token in $${token.variable} may read ${words.mayRead}.`;
  return unavailable(
    `Expected ${words.name} to let ${shorten(repository, 120)} be read, found ${status}: ${message}. ${advice} ${LATER}`,
    cause,
  );
}

function notThere({ words, repository, token }: Context, cause: unknown): ProbeError {
  const advice =
    token === null
      ? `If it is private, set ${words.tokenVariables[0]} to a token that may read it.`
      : `If it is private, check that the token in $${token.variable} may read it.`;
  return badInput(
    `Expected a ${words.repository} ${shorten(repository, 120)} on ${words.name}, found none (404). Check the name. ${advice}`,
    cause,
  );
}

function unavailable(message: string, cause: unknown): ProbeError {
  return modelUnavailable(message, cause);
}
