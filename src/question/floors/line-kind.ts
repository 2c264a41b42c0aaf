/** What a line of code is at a glance, in any of the nine languages. */
export const LINE_KINDS = ["blank", "bracket", "comment", "declaration", "statement"] as const;

export type LineKind = (typeof LINE_KINDS)[number];

const COMMENT =
  /^(\/\/|\/\*|\*(?![\w(])|#(?!(include|define|undef|ifn?def|if|else|elif|endif|pragma|error|\[)\b)|"""|'''|--\s|<!--)/;
const MODIFIERS =
  /^((public|private|protected|internal|static|export|default|async|abstract|final|virtual|override|inline|extern|pub|sealed|readonly|partial)\s+)*/;
const DECLARATION =
  /^(class|interface|struct|enum|trait|module|namespace|package|import|from|using|use|require|include|#include|#define|def|func|fn|function|type|template|typedef|const|let|var|val|impl|union)\b/;
const SIGNATURE =
  /^(?!(return|else|if|for|while|switch|catch|throw|new|await|yield|case|do|delete|elsif|unless)\b)[\w:<>,*&[\]\s~.?]+\s[\w:~*&]+\s*\([^;]*\)?[^;=]*\{?$/;

/**
 * By the look of the line alone: no parse, for a hunk need not parse. `bracket`: nothing but brackets and punctuation, or a
 * lone `end` or `begin`; `declaration`: opens a name (a class, a function, an import, a variable by its keyword).
 */
export function kindOfLine(line: string): LineKind {
  const text = line.trim();
  if (text === "") return "blank";
  if (isBare(text)) return "bracket";
  if (COMMENT.test(text)) return "comment";
  const bare = text.replace(MODIFIERS, "");
  return DECLARATION.test(bare) || bare !== text || SIGNATURE.test(text) ? "declaration" : "statement";
}

/** A line that no review is about: blank, or without a word, or a lone word that closes or opens a block. */
export function isBare(line: string): boolean {
  return !/[\p{L}\p{N}]/u.test(line) || /^\s*(end|begin|fi|done)[\s;)}\]]*$/.test(line);
}
