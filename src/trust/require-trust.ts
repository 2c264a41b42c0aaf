import { ProbeError } from "../base/errors.js";
import { shorten, visibleLine } from "../base/text.js";
import { type Ask, type Claim, claimWords, isSameClaim, keySourceText, trustCommand } from "./claim.js";
import { readTrust, trustFilePath } from "./trust-file.js";

/** Variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Asks that the user has trusted. */
export async function findTrusted(asks: readonly Ask[], environment: Environment = process.env): Promise<Ask[]> {
  if (asks.length === 0) return [];
  const grants = await readTrust(trustFilePath(environment));
  return asks.filter(({ claim }) => grants.some((grant) => isSameClaim(grant.claim, claim)));
}

/**
 * To be called before anything is done that a file that was found asks for: a key sent to its server, a module of its
 * run, commands of its data, a name that it gives another meaning. What the user named on the command line needs no trust.
 * @throws ProbeError `bad_input` for the first that is not trusted: what asks for what, and the command that trusts it
 */
export async function requireTrust(asks: readonly Ask[], environment: Environment = process.env): Promise<void> {
  const trusted = await findTrusted(asks, environment);
  const stranger = asks.find((ask) => !trusted.includes(ask));
  if (stranger === undefined) return;
  const grants = await readTrust(trustFilePath(environment));
  const isChanged = grants.some(({ claim }) => isChange(claim, stranger.claim));
  throw new ProbeError("bad_input", refusal(stranger, isChanged));
}

/** Tests for a thing trusted under the same name that has become another. */
function isChange(trusted: Claim, asked: Claim): boolean {
  if (trusted.kind === "server" || asked.kind === "server") return false;
  return trusted.kind === asked.kind && claimWords(trusted).subject === claimWords(asked).subject;
}

function refusal({ claim, name, holder, words }: Ask, isChanged: boolean): string {
  const changed = isChanged ? " You trusted another content of it: it has changed since." : "";
  const wayOut =
    words === undefined ? "Look at it, then trust it" : `Name it on the command line, ${words}, or trust it`;
  return `${expectation(claim, shorten(name, 120), holder)}${changed} ${wayOut}:\n  ${visibleLine(trustCommand(claim))}`;
}

function expectation(claim: Claim, name: string, holder: string): string {
  switch (claim.kind) {
    case "server":
      return claim.key === null
        ? `Expected a server that you named or trust, found ${claim.origin} for ${name}, which ${holder} names.`
        : `Expected a key for a server that you named or trust, found ${keySourceText(claim.key)} for ${claim.origin}, ` +
            `which ${holder} names (${name}): a file that was found sends no key by itself.`;
    case "module":
      return (
        `Expected modules that you named or trust, found ${name} in ${holder}: a file that was found does not run code by ` +
        "itself."
      );
    case "commands":
      return (
        `Expected commands that you trust, found those of ${name} in ${holder}: data that was found runs no commands by ` +
        "itself."
      );
    case "alias":
      return (
        `Expected ${name} to be the model that comes with the program, found that ${holder} makes another of it. It may ` +
        "have another name there."
      );
  }
}
