import type { Language } from "../../base/language.js";

/** Tells whether a line says something: no blank one, no lone brackets. */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** First words of lines that begin, end or go on with something that takes more lines. */
const OF_BLOCKS =
  /^(?:end|else|elif|elsif|except|finally|rescue|ensure|catch|case|when|then|def|class|module|if|unless|for|foreach|while|until|switch|with|using|lock|try|func|function|namespace|struct|enum|interface)\b/u;

/** Lines whose order says nothing: imports, members, declarations of constants. */
export const ANYWHERE =
  /^\s*(?:import|from|#\s*include|using|use|require|include|package|private|public|protected|const|@|\w*\s*["'][^"']*["'][;,]?\s*$)/u;

/** A call or an assignment. */
const DOES = /^\s*(?!return\b|raise\b|throw\b)[\w$][\w$.[\]>: -]*(?:[+-]?=[^=>]|\().*[;)\w\]"']\s*$/u;
const WITHOUT_SEMICOLON: ReadonlySet<Language> = new Set(["go", "python", "ruby"]);

/** Tells whether a line does something by itself. */
export function isDone(line: string, language: Language): boolean {
  return DOES.test(line) && (WITHOUT_SEMICOLON.has(language) || line.trimEnd().endsWith(";"));
}

/** Tells whether a line is one of a list: it ends with a comma, with nothing left open. */
export function isEntry(line: string): boolean {
  return /^\s*[\w"'`$.:{&(@-].*[\w"'`)\]}],\s*$/.test(line) && isStatement(line.trimEnd().slice(0, -1));
}

/** A comment of one line that says something. */
export const NOTE =
  /^\s*(?:\/\/+|#)(?!!|\s*(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|region|nullable)\b)\s*\p{L}{2,}\S*\s+\S+/u;

/** Tells whether a line is a statement by itself. */
export function isStatement(line: string): boolean {
  const text = line.trim();
  if (!isTelling(text) || OF_BLOCKS.test(text)) return false;
  if (/^[)\]}.,?:&|<+*/=-]|[([{,:?&|+=\\]$|\b(?:do|begin)$|[=-]>$/.test(text)) return false;
  return ["()", "[]", "{}"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length);
}
