import { ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";

/** A secret, and the variable it came from: the variable may be shown, the secret never. */
export interface Token {
  readonly variable: string;
  readonly secret: string;
}

/**
 * The token in the first of these environment variables that holds one; `null` when none does.
 * @throws ProbeError `bad_input` when it holds what cannot be a token
 */
export function readToken(variables: readonly string[], environment: NodeJS.ProcessEnv): Token | null {
  for (const variable of variables) {
    const secret = environment[variable]?.trim();
    if (secret === undefined || secret === "") continue;
    // A header holds visible ASCII; an error of the network's would show anything else.
    if (/^[\x21-\x7e]+$/.test(secret)) return { variable, secret };
    throw new ProbeError(
      "bad_input",
      `Expected a token of visible ASCII characters in $${shorten(variable, 120)}, found others. Copy it again.`,
    );
  }
  return null;
}

/** The text without the token, should a server or an error repeat it. */
export function withoutToken(text: string, token: Token | null): string {
  return token === null ? text : text.replaceAll(token.secret, "[token]");
}
