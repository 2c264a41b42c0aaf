import { mkdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { isSystemError, messageOf, ProbeError } from "../base/errors.js";
import { onDisk, writeAtomically } from "../store/atomic-write.js";
import { waitForFile } from "../store/folder/lock.js";
import { claimSchema } from "./claim.js";

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
export function trustFilePath(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment["PROBE_TRUST_FILE"];
  if (named !== undefined && named !== "") {
    if (isAbsolute(named)) return named;
    throw new ProbeError(
      "bad_input",
      `Expected an absolute path in $PROBE_TRUST_FILE, found "${named}". Write it whole.`,
    );
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
    throw new ProbeError("bad_input", `Expected to read ${path}, found: ${messageOf(error)}.`, { cause: error });
  }
  try {
    return trustFileSchema.parse(JSON.parse(text)).trusted;
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new ProbeError(
      "bad_input",
      `Expected what you trust in ${path}, found:\n${found}\nRemove the file, and trust again what you need.`,
      { cause },
    );
  }
}

/** Systems without such rights tell nothing of them. */
function requireOwn(path: string, mode: number, uid: number): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0) {
    throw new ProbeError("bad_input", `Expected ${path} to be your own file, found another user's. Remove it.`);
  }
  if ((mode & FOREIGN_WRITE) === 0) return;
  throw new ProbeError(
    "bad_input",
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

function makeOwnFolder(path: string): Promise<unknown> {
  return onDisk(path, () => mkdir(dirname(path), { recursive: true, mode: OWN_FOLDER }));
}

/** Writes the file, whole or not at all, for the user alone. */
export async function writeTrust(path: string, trusted: readonly Grant[]): Promise<void> {
  await makeOwnFolder(path);
  const document = { version: VERSION, trusted };
  await writeAtomically(path, (append) => append(`${JSON.stringify(document, null, 2)}\n`), OWN_FILE);
}
