import { readFile } from "node:fs/promises";
import { badInput, isSystemError, messageOf } from "../../base/errors.js";
import { jsonValue, VARIABLE_NAME } from "../../base/text.js";
import type { KeySource } from "../../trust/claim.js";

/**
 * The key for a server, from a file or the environment, never from the command line; `null` when there is none and none
 * has to be. A name is shown only where it cannot be a key that was put in its place.
 * @param isRequired `true` where a variable that holds nothing is a mistake: it was named, not assumed
 * @throws ProbeError `bad_input` when the named source has none
 */
export async function readKey(
  source: KeySource,
  isRequired: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (source.kind === "file") return sendable(await readKeyFile(source.path), `the file ${source.path}`);
  const key = environment[source.name]?.trim();
  if (key !== undefined && key !== "") return sendable(key, `$${source.name}`);
  if (!isRequired) return null;
  throw badInput(
    `Expected a key in ${variableText(source.name)}, found it empty. Set it, or name a file with --api-key-file PATH.`,
  );
}

/**
 * Makes sure that this can be the name of an environment variable.
 * @param from option or setting that gave it, such as `--api-key-env`
 * @throws ProbeError `bad_input` that does not repeat it: it may be the key itself
 */
export function requireVariableName(name: string, from: string): string {
  if (VARIABLE_NAME.test(name)) return name;
  throw badInput(
    `Expected the name of an environment variable for ${from}, found something else (not shown: it may be a key). ` +
      "Put the key into a variable, and name that: letters, digits and _.",
  );
}

/** The variable, by its name where that is written as such names are: `LAB_KEY`. */
export function variableText(name: string): string {
  const isUsual = name.length <= 40 && /^[A-Z]+(?:_(?:[A-Z]+|\d{1,3}))*$/.test(name);
  return isUsual ? `the environment variable ${name}` : "the environment variable that was named for it (not shown)";
}

/** A header holds visible ASCII: anything else is a slip of copying, and would be shown in an error. */
function sendable(key: string, place: string): string {
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  throw badInput(`Expected a key of visible ASCII characters in ${place}, found others. Copy it again.`);
}

async function readKeyFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    // A path of no file may be the key itself.
    const [place, found] = isNoFile(cause)
      ? ["the file that was named for it", "no such file"]
      : [path, messageOf(cause)];
    throw badInput(`Expected a key in ${place}, found: ${found}. Name it with --api-key-file PATH.`);
  });
  const [first = ""] = text.split(/\r?\n/);
  if (first.trim() === "") throw badInput(`Expected a key in ${path}, found its first line empty.`);
  return first.trim();
}

function isNoFile(cause: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].some((code) => isSystemError(cause, code));
}

/** Length of a key, or of a part of one, at least, by which it is told from other text. */
const LONG = 8;

/** Replaces secrets, and long parts of them, wherever a server's error repeats them. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const parts = [...secrets].sort(byLength).concat(secrets.flatMap(partsOf));
  return (text) => parts.reduce((clean, part) => clean.replaceAll(part, "[key]"), text);
}

/** Parts of a key that servers show when they refuse it: its beginning or its end. */
function partsOf(key: string): string[] {
  return key.length < 2 * LONG ? [] : [key.slice(0, LONG), key.slice(-LONG)];
}

/**
 * Replaces whole secrets in a reply, JSON or not, before anything of it is read: a server may write them into names,
 * texts and errors. Short ones, such as `none`, stand for what replies are made of, and are left.
 */
export function replyRedactor(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter(({ length }) => length >= LONG).sort(byLength);
  if (long.length === 0) return (text) => text;
  const clean = (text: string) => long.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text);
  const cleanValue = (value: unknown): unknown => {
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return value.map(cleanValue);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), cleanValue(each)]));
  };
  return (text) => {
    if (!text.includes("\\") && clean(text) === text) return text;
    // Secrets that are written in escapes are found in its value.
    const value = jsonValue(text);
    if (value === null) return clean(text);
    const before = JSON.stringify(value);
    const after = JSON.stringify(cleanValue(value));
    // Without a secret in it, the text stays as it came, to the digit.
    return before === after ? text : after;
  };
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}
