import { ProbeError } from "../../../base/errors.js";

/**
 * The address of a forge's API: what the first of these variables that is set holds, or the public one.
 * @param example of such an address, for messages
 * @throws ProbeError `bad_input` when it is no address, or holds a secret: it is written down beside the data
 */
export function apiUrlOf(
  variables: readonly string[],
  publicUrl: string,
  example: string,
  environment: NodeJS.ProcessEnv,
): string {
  const variable = variables.find((name) => (environment[name]?.trim() ?? "") !== "");
  if (variable === undefined) return publicUrl;
  const text = environment[variable]?.trim() ?? "";
  const url = URL.canParse(text) && /^https?:/.test(text) ? new URL(text) : null;
  if (url === null) {
    throw new ProbeError("bad_input", `Expected an address such as ${example} in $${variable}, found another text.`);
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new ProbeError(
      "bad_input",
      `Expected a plain address such as ${example} in $${variable}, found one with a user, a password, a query or a ` +
        "fragment. A token has a variable of its own.",
    );
  }
  return text.replace(/\/+$/, "");
}
