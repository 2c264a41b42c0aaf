import type { z } from "zod";
import { ProbeError } from "../../../base/errors.js";
import { normaliseText, shorten } from "../../../base/text.js";
import type { FileAtCommit } from "./forge.js";
import { ShapeError } from "./forge-error.js";

/**
 * What is read of a forge's reply.
 * @param what is expected, such as `a list of commits`
 * @throws ShapeError naming the first field that is of another shape
 */
export function parseReply<T>(shape: z.ZodType<T>, data: unknown, what: string, forge: string): T {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : ` at ${issue.path.join(".") || "its top"}: ${issue.message}`;
  throw new ShapeError(`not ${what} as ${forge} documents it${shorten(where, 120)}`);
}

/** Of all pages of a list together, characters of JSON: ten thousand comments have fewer. Some lists are read at once. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * What all pages of a list hold. One that never ends does not fill the memory.
 * @throws ShapeError when they hold more than any list has; what `itemsOf` throws
 */
export async function allPages<Page, T>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let characters = 0;
  for await (const page of pages) {
    characters += JSON.stringify(page).length;
    if (characters > MOST_CHARACTERS) throw new ShapeError(`a list of more than ${MOST_CHARACTERS} characters`);
    items.push(...itemsOf(page));
  }
  return items;
}

/** A larger file is no code that somebody wrote, and its diff would take too long. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A file whose bytes came in base64. */
export function fileOfBase64(content: string): FileAtCommit {
  const bytes = Buffer.from(content, "base64");
  if (bytes.length > MAX_FILE_BYTES) return { status: "unreadable" };
  try {
    const text = normaliseText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (text.includes("\0")) return { status: "unreadable" };
    return { status: "text", lines: text === "" ? [] : text.replace(/\n$/, "").split("\n") };
  } catch {
    return { status: "unreadable" };
  }
}

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

/**
 * Says once why, how long and until when requests wait, though several wait together.
 * @param name of the forge
 * @param advice to end with, after a blank; empty: none
 */
export function waitAnnouncer(
  name: string,
  advice: string,
  onMessage: (message: string) => void,
): (reason: string, seconds: number) => void {
  let announcedUntil = 0;
  return (reason, seconds) => {
    const until = Date.now() + seconds * 1000;
    if (until < announcedUntil + 2000) return;
    announcedUntil = until;
    const duration = seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
    const time = new Date(until).toISOString().slice(11, 19);
    onMessage(`${name}: ${reason}; waiting ${duration}, until ${time} UTC.${advice}`);
  };
}
