import { normaliseText } from "../../../base/text.js";
import type { FileAtCommit } from "./forge.js";

/** A larger file is no code that somebody wrote, and its diff would take too long. */
export const MAX_FILE_BYTES = 1024 * 1024;

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
