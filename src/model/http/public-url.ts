import { badInput } from "../../base/errors.js";

/** Stands in a shown URL in the place of a possible secret. */
export const HIDDEN = "[key]";

/**
 * A URL as it may be shown and stored: without user, password, query and fragment, and with `[key]` for the parts of its
 * path that do not look like words, since some gateways take their key there.
 */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  const path = segmentsOf(pathname).map((segment) => (isPlain(segment) ? segment : HIDDEN));
  return [origin, ...path].join("/");
}

/** @throws ProbeError `bad_input` for what is not an http(s) URL; it is not repeated, for it may hold a key */
export function requireHttp(url: string): void {
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return;
  throw badInput(
    "Expected --base-url to be http(s)://host…/v1, found something else (not shown: it may hold a key). " +
      "Such as --base-url http://127.0.0.1:8000/v1",
  );
}

/** Shorter texts stand for too much else to be replaced wherever they are. */
const SHORTEST_SECRET = 6;

/** Parts of a URL that `publicUrl` leaves out: not to be shown when a server repeats them. */
export function hiddenParts(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [
    username,
    password,
    ...segmentsOf(pathname).filter((each) => !isPlain(each)),
    ...searchParams.values(),
  ];
  const all = [...new Set(parts.flatMap((part) => [part, decodedPart(part)]))];
  return all.filter((part) => part.length >= SHORTEST_SECRET && part !== HIDDEN);
}

/** `true` for a URL of which nothing is left out where it is shown. */
export function isPublic(url: string): boolean {
  const { username, password, pathname, search, hash } = new URL(url);
  return [username, password, search, hash].every((part) => part === "") && segmentsOf(pathname).every(isPlain);
}

/** `true` for a shown URL that is not the whole one, so that it leads nowhere. */
export function isHidden(url: string): boolean {
  return segmentsOf(new URL(url).pathname).includes(HIDDEN);
}

function segmentsOf(pathname: string): string[] {
  return pathname.split("/").filter((segment) => segment !== "");
}

/** The beginnings of keys, and what they are called. */
const KEY_WORDS = /^(?:sk|pk|hf|ghp|pat|keys?|auth|bearer)$|apikey|token|secret|passw/i;

/** Words, versions and sizes: `v1`, `openai`, `qwen-2.5-7b`, `compatible-mode`. Keys mix digits and letters for longer. */
function isPlain(segment: string): boolean {
  if (segment.length > 40 || !/^[\w.~-]+$/.test(segment)) return false;
  return segment.split(/[._~-]+/).every((part) => isWord(part) && !KEY_WORDS.test(part));
}

function isWord(part: string): boolean {
  return /^(?:[A-Z]?[a-z]{0,15}|[A-Z]{1,6}|\d{1,4}|(?=.{1,4}$)[a-z\d]+|[a-z]{2,10}\d{1,2}|v\d(?:alpha|beta)\d?)$/.test(
    part,
  );
}

/** Text of a part of a URL; as it is, where it is not written as URLs are. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
