import { isAbsolute } from "node:path";
import { z } from "zod";
import { sha256 } from "../base/sha256.js";
import { shellWord, VARIABLE_NAME } from "../base/text.js";

const hash = z.string().regex(/^[0-9a-f]{64}$/, { error: "expected a SHA-256" });
const absolute = z.string().refine(isAbsolute, { error: "expected an absolute path" });
/** Scheme, host and port, as `URL.origin` writes them: the port of the scheme is left out. */
const origin = z
  .string()
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text), {
    error: "expected http(s)://host:port",
  });

/** Source of a key: never the key itself. */
const keySourceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("variable"), name: z.string().regex(VARIABLE_NAME) }),
  z.strictObject({ kind: z.literal("file"), path: absolute }),
]);

/** Source of a key: a variable of the environment, or the first line of a file. Never the key itself. */
export type KeySource = z.infer<typeof keySourceSchema>;

/**
 * Something that a file may name and that does harm in the wrong hands. It holds all that it means: neither a name
 * that can be given to something else, nor a path whose content can change.
 */
export const claimSchema = z.discriminatedUnion("kind", [
  /** A server that is told what a key source holds; `null`: no key, for suites whose data name servers. */
  z.strictObject({ kind: z.literal("server"), origin, key: keySourceSchema.nullable() }),
  /** A module that is run; SHA-256 of its bundled source. */
  z.strictObject({ kind: z.literal("module"), path: absolute, sha256: hash }),
  /** Commands of a folder of data; SHA-256 of all of it. */
  z.strictObject({ kind: z.literal("commands"), folder: absolute, sha256: hash }),
  /** A name of the program's that is to mean something else; SHA-256 of what. */
  z.strictObject({ kind: z.literal("alias"), name: z.string().min(1), sha256: hash }),
]);

/** Something that a file asks for and that needs trust: all that it means, so that trust in it is in nothing else. */
export type Claim = z.infer<typeof claimSchema>;

/** Request of a file for trust, with the name in it and the file. */
export interface Ask {
  readonly claim: Claim;
  /** Name in the file: an alias, the path of a module. */
  readonly name: string;
  /** Such as `probe.config.json`. */
  readonly holder: string;
  /** Words of the command line for the same, where there are any: these need no trust. */
  readonly words?: string;
}

/** Eight hex digits that name a claim. */
export function claimId(claim: Claim): string {
  return sha256(keyOf(claim)).slice(0, 8);
}

export function isSameClaim(a: Claim, b: Claim): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf(claim: Claim): string {
  const { kind } = claim;
  if (kind === "server")
    return JSON.stringify([kind, claim.origin, claim.key && [claim.key.kind, keySourceText(claim.key)]]);
  return JSON.stringify([kind, claimWords(claim).subject, claim.sha256]);
}

/** Such as `$LAB_KEY`, or the path of a file. */
export function keySourceText(key: KeySource): string {
  return key.kind === "variable" ? `$${key.name}` : key.path;
}

/** A key source as options of the command line. */
export function keyWords(key: KeySource): string {
  return key.kind === "variable" ? `--api-key-env ${shellWord(key.name)}` : `--api-key-file ${shellWord(key.path)}`;
}

/** Subject of a claim, and the content it is bound to, in a few words each. */
export function claimWords(claim: Claim): { readonly subject: string; readonly bound: string } {
  switch (claim.kind) {
    case "server":
      return { subject: claim.origin, bound: claim.key === null ? "no key" : `key ${keySourceText(claim.key)}` };
    case "module":
      return { subject: claim.path, bound: `sha256 ${claim.sha256.slice(0, 12)}…` };
    case "commands":
      return { subject: claim.folder, bound: `sha256 ${claim.sha256.slice(0, 12)}…` };
    case "alias":
      return { subject: claim.name, bound: `sha256 ${claim.sha256.slice(0, 12)}…` };
  }
}

/** The command that trusts it, ready for a shell. */
export function trustCommand(claim: Claim): string {
  switch (claim.kind) {
    case "server": {
      const key = claim.key === null ? "" : ` ${keyWords(claim.key)}`;
      return `probe trust add --base-url ${shellWord(claim.origin)}${key}`;
    }
    case "module":
      return `probe trust add --module ${shellWord(claim.path)}`;
    case "commands":
      return `probe trust add ${shellWord(claim.folder)} --yes`;
    case "alias":
      return `probe trust add --alias ${shellWord(claim.name)}`;
  }
}
