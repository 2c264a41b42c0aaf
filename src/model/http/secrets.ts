import { readFile } from "node:fs/promises";
import { messageOf, ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";

export interface KeySource {
  /** Name of an environment variable; must be set when it was named by the user. */
  readonly environmentVariable: string;
  readonly isRequired: boolean;
  /** Path of a file whose first line is the key; before the environment. */
  readonly file: string | null;
}

/**
 * The key for a server, from a file or the environment, never from the command line; `null` when there is none.
 * @throws ProbeError `bad_input` when the named source has none
 */
export async function readKey(source: KeySource, environment: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (source.file !== null) return sendable(await readKeyFile(source.file), `the file ${source.file}`);
  const key = environment[source.environmentVariable]?.trim();
  if (key !== undefined && key !== "") return sendable(key, `$${shorten(source.environmentVariable, 120)}`);
  if (!source.isRequired) return null;
  throw new ProbeError(
    "bad_input",
    `Expected a key in the environment variable ${shorten(source.environmentVariable, 120)}, found it empty. ` +
      "Set it, or name a file with --api-key-file PATH.",
  );
}

/** A header holds visible ASCII: anything else is a slip of copying, and would be shown in an error. */
function sendable(key: string, place: string): string {
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  throw new ProbeError(
    "bad_input",
    `Expected a key of visible ASCII characters in ${place}, found others. Copy it again.`,
  );
}

async function readKeyFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new ProbeError("bad_input", `Expected a key in the file ${path}, found: ${messageOf(cause)}`, { cause });
  });
  const [first = ""] = text.split(/\r?\n/);
  if (first.trim() === "") throw new ProbeError("bad_input", `Expected a key in ${path}, found its first line empty.`);
  return first.trim();
}

/** Replaces the key, and long parts of it, wherever a server's reply or an error repeats it. */
export function redactor(key: string | null): (text: string) => string {
  if (key === null) return (text) => text;
  return (text) => {
    let clean = text.replaceAll(key, "[key]");
    for (const part of partsOf(key)) clean = clean.replaceAll(part, "[key]");
    return clean;
  };
}

/** What servers show of a key they refuse: its beginning or its end. */
function partsOf(key: string): string[] {
  const LONG = 8;
  return key.length < 2 * LONG ? [] : [key.slice(0, LONG), key.slice(-LONG)];
}

/** A URL without user, password and query, as it may be shown and stored. */
export function publicUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}
