import { groupBy } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import { languageOfFile } from "../../../base/source-path.js";
import { loadSyntax } from "../../../syntax/load.js";
import { type ChangedLines, filesOfPatch, type PlacedLine, withoutSide } from "./changed-lines.js";

/** Text of a changed file: of the changed tree for added lines, of the base for removed ones; `null`: not known. */
export type TextAt = (side: keyof ChangedLines, path: string) => Promise<string | null>;

const DOCUMENT = /(?:^|\/)docs\/|\.(?:md|rst|adoc|txt)$/i;
const CONFIGURATION = /\.(?:json|ya?ml|toml|ini|cfg|conf|lock|properties|xml)$/i;

/**
 * The filter of the paper's Table 6, for which no code was released; the rule is ours: lines of documents and configuration,
 * blank ones, and those that are comment alone by the syntax tree do not count. Languages without a grammar keep their
 * comments; TypeScript is read as JavaScript.
 */
export async function codeLines(lines: ChangedLines, textAt: TextAt): Promise<ChangedLines> {
  const keep = async (side: keyof ChangedLines): Promise<PlacedLine[]> => {
    const kept: PlacedLine[] = [];
    for (const [path, own] of groupBy(lines[side], (line) => line.path)) {
      if (DOCUMENT.test(path) || CONFIGURATION.test(path)) continue;
      const text = await textAt(side, path);
      const isCode = text === null ? () => true : await codeTest(path, text);
      kept.push(...own.filter(({ line }) => isCode(line)));
    }
    return kept;
  };
  return { added: await keep("added"), removed: await keep("removed") };
}

/** Test of a file's lines, from 1, for anything besides blanks and comments. */
async function codeTest(path: string, text: string): Promise<(line: number) => boolean> {
  const language = grammarOf(path);
  const comments = language === null ? [] : (await loadSyntax(language)).comments(text);
  let code = "";
  let end = 0;
  for (const comment of comments) {
    code += text.slice(end, comment.start) + text.slice(comment.start, comment.end).replace(/[^\n]/g, " ");
    end = comment.end;
  }
  const lines = (code + text.slice(end)).split("\n");
  return (line) => /\S/.test(lines[line - 1] ?? "");
}

function grammarOf(path: string): Language | null {
  return languageOfFile(path) ?? (/\.[cm]?tsx?$/i.test(path) ? "javascript" : null);
}

/** A hunk may name any line: behind this one no text is kept, so that its lines are no code. */
const MOST_LINES = 1_000_000;

/** Texts of a patch's files as far as its hunks show them, each line at its place: a comment that begins outside is code. */
export function textsOfPatch(patch: string): TextAt {
  const texts = { added: new Map<string, string[]>(), removed: new Map<string, string[]>() };
  for (const { oldFileName, newFileName, hunks } of filesOfPatch(patch) ?? []) {
    const added = linesIn(texts.added, withoutSide(newFileName));
    const removed = linesIn(texts.removed, withoutSide(oldFileName));
    for (const { lines, oldStart, newStart } of hunks) {
      place(added, newStart, lines, "-");
      place(removed, oldStart, lines, "+");
    }
  }
  return async (side, path) => {
    const own = texts[side].get(path);
    return own === undefined ? null : Array.from(own, (line) => line ?? "").join("\n");
  };
}

function linesIn(texts: Map<string, string[]>, path: string): string[] {
  const own = texts.get(path) ?? [];
  texts.set(path, own);
  return own;
}

/** @param other sign of the other side's lines */
function place(own: string[], start: number, lines: readonly string[], other: "+" | "-"): void {
  const shown = lines.filter((line) => line[0] !== other && line[0] !== "\\");
  if (start + shown.length > MOST_LINES) return;
  for (const [i, line] of shown.entries()) own[start - 1 + i] = line.slice(1);
}
