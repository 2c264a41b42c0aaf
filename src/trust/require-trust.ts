import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError, messageOf, ProbeError } from "../base/errors.js";
import { shorten, visibleLine } from "../base/text.js";
import { writeAtomically } from "../store/atomic-write.js";
import { waitForFile } from "../store/folder/lock.js";
import { makeFolder } from "../store/folder/work-folder.js";
import { type Ask, type Claim, claimSchema, claimWords, isSameClaim, keySourceText, trustCommand } from "./claim.js";

const VERSION = 1;
/** The user alone may read and write. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
/** Group and others may write. */
const FOREIGN_WRITE = 0o022;

const grantSchema = z.strictObject({ claim: claimSchema, added_at: z.iso.datetime() });

const trustFileSchema = z.strictObject({ version: z.literal(VERSION), trusted: z.array(grantSchema) });

/** Claim that was trusted, with its date. */
export type Grant = z.infer<typeof grantSchema>;

/**
 * The file that holds what the user trusts: `$PROBE_TRUST_FILE`, else `code-review-probe/trust.json` in the user's
 * configuration folder (`$XDG_CONFIG_HOME`, else `~/.config`). Never a path in the working directory.
 * @throws ProbeError `bad_input` for a relative `$PROBE_TRUST_FILE`
 */
export function trustFilePath(environment: Environment = process.env): string {
  const named = environment["PROBE_TRUST_FILE"];
  if (named !== undefined && named !== "") {
    if (isAbsolute(named)) return named;
    throw badInput(`Expected an absolute path in $PROBE_TRUST_FILE, found "${named}". Write it whole.`);
  }
  // The specification of these folders ignores a relative one.
  const configured = environment["XDG_CONFIG_HOME"];
  const folder = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), ".config");
  return join(folder, "code-review-probe", "trust.json");
}

/**
 * Reads the user's grants; none without a file.
 * @throws ProbeError `bad_input` when it is not as expected, or others may write it
 */
export async function readTrust(path: string): Promise<readonly Grant[]> {
  let text: string;
  try {
    const { mode, uid } = await stat(path);
    requireOwn(path, mode, uid);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    if (error instanceof ProbeError) throw error;
    throw badInput(`Expected to read ${path}, found: ${messageOf(error)}.`, error);
  }
  try {
    return trustFileSchema.parse(JSON.parse(text)).trusted;
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw badInput(
      `Expected what you trust in ${path}, found:\n${found}\nRemove the file, and trust again what you need.`,
      cause,
    );
  }
}

/** Systems without such rights tell nothing of them. */
function requireOwn(path: string, mode: number, uid: number): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0) {
    throw badInput(`Expected ${path} to be your own file, found another user's. Remove it.`);
  }
  if ((mode & FOREIGN_WRITE) === 0) return;
  throw badInput(
    `Expected ${path} to be writable by you alone, found mode ${(mode & 0o777).toString(8)}. ` +
      "Look through it, then: chmod 600",
  );
}

/**
 * Changes what the user trusts. Two processes that do so at once come one after the other: none undoes the other's.
 * @param change gives the same list where nothing is to change
 * @returns what was trusted before, and what is
 * @throws ProbeError `bad_input` when the file cannot be read or written; what `change` throws
 */
export async function changeTrust(
  path: string,
  change: (before: readonly Grant[]) => readonly Grant[],
): Promise<{ readonly before: readonly Grant[]; readonly after: readonly Grant[] }> {
  await makeOwnFolder(path);
  const unlock = await waitForFile(path);
  try {
    const before = await readTrust(path);
    const after = change(before);
    if (after !== before) await writeTrust(path, after);
    return { before, after };
  } finally {
    await unlock();
  }
}

function makeOwnFolder(path: string): Promise<void> {
  return makeFolder(dirname(path), OWN_FOLDER);
}

/** Writes the file, whole or not at all, for the user alone. */
export async function writeTrust(path: string, trusted: readonly Grant[]): Promise<void> {
  await makeOwnFolder(path);
  const document = { version: VERSION, trusted };
  await writeAtomically(path, (append) => append(`${JSON.stringify(document, null, 2)}\n`), OWN_FILE);
}

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
  throw badInput(refusal(stranger, isChanged));
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
