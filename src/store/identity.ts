import { z } from "zod";
import { sha256 } from "../base/sha256.js";
import { shorten } from "../base/text.js";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Facts about a piece of work, by name. */
export const workIdentity = z.record(z.string(), z.union([scalar, z.array(z.string()).readonly()]));

/** Identity of a piece of work, flat: the same facts, the same work. */
export type WorkIdentity = Readonly<z.infer<typeof workIdentity>>;

/** SHA-256 of what makes a piece of work what it is, as 64 hex digits. */
export function fingerprintOf(content: unknown): string {
  return sha256(JSON.stringify(content));
}

/** Fingerprint in a folder's name: 8 hex digits. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, 8);
}

/**
 * Differences between recorded work and what is asked for now, a line each; none: it may be resumed. Facts about a
 * thing that is another (`model file` of another `model`) are left out.
 * @param holder place of the record, such as `the run`
 * @param other the other side
 */
export function differences(
  recorded: WorkIdentity,
  asked: WorkIdentity,
  holder: string,
  other = "this command",
): string[] {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])];
  const found = names
    .map((name) => ({ name, there: textOf(recorded[name]), here: textOf(asked[name]) }))
    .filter(({ there, here }) => there !== here);
  return found
    .filter(({ name }) => !found.some((other) => name.startsWith(`${other.name} `)))
    .map(({ name, there, here }) => `${name}: ${holder} has ${show(there)}, ${other} ${show(here)}`);
}

function textOf(value: WorkIdentity[string] | undefined): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

function show(text: string): string {
  return shorten(text, 80);
}

interface WorkName {
  readonly now: Date;
  /** Put before the label, such as `audit`; `null`: nothing. */
  readonly kind: string | null;
  /** Name of the model. */
  readonly label: string;
  readonly fingerprint: string;
}

/** Such as `20261121T230354Z-tiny-1f2e3d4c`: when it began, the model, and the short fingerprint; a plain folder name. */
export function workId({ now, kind, label, fingerprint }: WorkName): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const slug = label
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(-40)
    .replace(/^[-.]+/, "");
  return [stamp, ...(kind === null ? [] : [kind]), slug, shortFingerprint(fingerprint)].join("-");
}

/** The part of such a name that work of one kind about one model has in common: neither when it began nor its fingerprint. */
export function commonName(id: string): string {
  return id.replace(/^[^-]*-/, "").replace(/-[0-9a-f]{8}$/, "");
}
