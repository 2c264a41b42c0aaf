/**
 * The one normalisation every text gets before a prompt shows it: Windows line ends become `\n`, and a lone surrogate
 * (which no tokenizer can read) becomes U+FFFD.
 */
export function normaliseText(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed();
}

/** Text that is safe on a terminal: control characters and direction overrides are shown as escapes, not obeyed. */
export function printable(text: string, maxLength = 120): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text;
  return cut.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Likewise, of a text of several lines, which it stays; each is cut by itself. */
export function printableLines(text: string, maxLength = 120): string {
  return text
    .split("\n")
    .map((line) => printable(line, maxLength))
    .join("\n");
}

// C0 and C1 controls, direction marks, embeddings, overrides and isolates.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
