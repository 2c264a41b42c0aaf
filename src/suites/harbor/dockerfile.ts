import { posix } from "node:path";

/** Environment that no image has to be built for: one folder of the task's, put somewhere. */
export interface PlainEnvironment {
  /** Working directory, absolute. */
  readonly place: string;
  /** Folder of `environment/` that is copied, and where in the working directory it stands; `""`: it is it. */
  readonly from: string;
  readonly at: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Instructions that say nothing about files. */
const SILENT = new Set(["FROM", "LABEL", "CMD", "ENTRYPOINT", "EXPOSE", "MAINTAINER", "STOPSIGNAL", "HEALTHCHECK"]);

/** Instructions that were read. */
interface Read {
  place?: string;
  copied?: { readonly from: string; readonly to: string };
  readonly env: Record<string, string>;
}

/**
 * Reads a Dockerfile that sets a working directory, copies one folder into it and does nothing else to files; what its image
 * has besides is then to be on this machine, as the task's own checks tell.
 * @returns a text: the instruction that asks for an image
 */
export function plainEnvironment(dockerfile: string): PlainEnvironment | string {
  const read: Read = { env: {} };
  const odd = instructions(dockerfile).find((line) => !take(line, read));
  if (odd !== undefined) return odd;
  const { place, copied, env } = read;
  if (place === undefined || copied === undefined) return `no ${place === undefined ? "WORKDIR" : "COPY"}`;
  const at = posix.relative(place, posix.resolve(place, copied.to));
  const from = posix.normalize(copied.from).replace(/\/$/, "");
  if (at.startsWith("..") || from.startsWith("..") || from.startsWith("/")) return `COPY ${copied.from}`;
  return { place, from, at, env };
}

/** Takes an instruction. @returns `false`: it asks for an image */
function take(line: string, read: Read): boolean {
  const [word, rest] = split(line);
  const [first = "", second = "", ...more] = rest.split(/\s+/);
  switch (word.toUpperCase()) {
    case "WORKDIR":
      if (read.place !== undefined || !first.startsWith("/") || !isPlain(first)) return false;
      read.place = posix.normalize(first);
      return true;
    case "COPY":
      if (read.copied !== undefined || more.length > 0 || !isPlain(first) || !isPlain(second)) return false;
      read.copied = { from: first, to: second };
      return true;
    case "ENV": {
      const [, key = "", value = ""] = /^([A-Za-z_]\w*)=(\S*)$/.exec(rest) ?? [];
      if (key !== "") read.env[key] = unquoted(value);
      return key !== "";
    }
    default:
      return SILENT.has(word.toUpperCase());
  }
}

/** Lines without comments, those that go on put together. */
function instructions(text: string): string[] {
  const lines = text
    .replace(/\r\n/g, "\n")
    .split("\n")
    .filter((line) => !/^\s*#/.test(line));
  return lines
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function split(line: string): [string, string] {
  const at = line.search(/\s/);
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at).trim()];
}

/** A path that is no flag, list, pattern or variable. */
function isPlain(path: string): boolean {
  return /^[\w./@+-]+$/.test(path) && !path.startsWith("-");
}

function unquoted(value: string): string {
  return value.replace(/^"([^"]*)"$/, "$1").replace(/^'([^']*)'$/, "$1");
}
