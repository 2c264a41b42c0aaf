import { groupBy } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import { isTestPath, languageOfFile } from "../../../base/source-path.js";
import type { TextRange } from "../../../base/text.js";
import type { Declaration } from "../../../syntax/declarations.js";
import { isComment, loadSyntax, type SyntaxNode } from "../../../syntax/load.js";
import type { CodeText } from "../../../trial/bench-task.js";
import { testFilesAmong } from "../run-case-tests.js";

/** Smell that can be put into code. */
export interface Candidate {
  /** Name of what it is made of, by which it is made once. */
  readonly key: string;
  /** Edits by the paths of files. */
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  /** File, class, function. */
  readonly place: readonly [string, string | null, string | null];
  /** Sentence for an agent that is told of the file. */
  readonly guided: string;
  /** Sentence for one that is told of class and function too. */
  readonly targeted: string;
}

/** Edits put together by the paths of files. */
export function editsBy(pairs: readonly (readonly [CodeFile, Edit])[]): Map<string, Edit[]> {
  const found = new Map<string, Edit[]>();
  for (const [{ path }, edit] of pairs) found.set(path, [...(found.get(path) ?? []), edit]);
  return found;
}

/** Node of a file with its place among the file's nodes. */
export interface CodeNode extends SyntaxNode {
  readonly at: number;
}

/** File of a repository, parsed. */
export interface CodeFile extends CodeText {
  readonly language: Language;
  readonly nodes: readonly CodeNode[];
  /** Classes and functions. */
  readonly declarations: readonly Declaration[];
  /** Places of the leaves with a text. */
  readonly leaves: ReadonlyMap<string, readonly CodeNode[]>;
}

/** Code of a repository that a smell may be put into, and all other text. */
export interface Code {
  readonly files: readonly CodeFile[];
  /** Tests, and files that no grammar reads: what they name stays as it is. */
  readonly others: readonly CodeText[];
}

/** @param tests files and folders of tests */
export async function parsedCode(texts: readonly CodeText[], tests: readonly string[]): Promise<Code> {
  const paths = texts.map(({ path }) => path);
  const kept = new Set(testFilesAmong(paths, tests));
  const files: CodeFile[] = [];
  const others: CodeText[] = [];
  for (const each of texts) {
    const language = languageOfFile(each.path);
    if (language === null || kept.has(each.path) || isTestPath(each.path)) others.push(each);
    else files.push(await parsedFile(each, language));
  }
  return { files, others: others.filter(({ path }) => !/\.(md|rst|txt|lock)$/.test(path)) };
}

async function parsedFile({ path, text }: CodeText, language: Language): Promise<CodeFile> {
  const syntax = await loadSyntax(language);
  const nodes = syntax.nodes(text).map((node, at) => ({ ...node, at }));
  const atEnd = nodes.filter((node) => node.isLeaf);
  const leaves = groupBy(atEnd, ({ start, end }) => text.slice(start, end));
  return { path, text, language, nodes, leaves, declarations: syntax.declarations(text) };
}

export function textAt({ text }: Pick<CodeFile, "text">, { start, end }: TextRange): string {
  return text.slice(start, end);
}

export function parentOf({ nodes }: CodeFile, { parent }: SyntaxNode): CodeNode | null {
  return parent === null ? null : (nodes[parent] ?? null);
}

/** Children that the grammar names, comments too. */
export function childrenOf({ nodes }: CodeFile, of: CodeNode): CodeNode[] {
  const found: CodeNode[] = [];
  for (let at = of.at + 1; (nodes[at]?.start ?? of.end) < of.end; at++) {
    const node = nodes[at];
    if (node !== undefined && node.parent === of.at && node.isNamed) found.push(node);
  }
  return found;
}

export function childBy(file: CodeFile, of: CodeNode, field: string): CodeNode | null {
  return childrenOf(file, of).find((child) => child.field === field) ?? null;
}

/** Nodes within a range, in the order of the text. */
export function nodesWithin({ nodes }: CodeFile, { start, end }: TextRange): CodeNode[] {
  return nodes.filter((node) => node.start >= start && node.end <= end);
}

/** The innermost function around a node; `null`: none. */
export function functionAround({ declarations }: CodeFile, { start, end }: TextRange): Declaration | null {
  const around = declarations.filter((each) => each.kind === "function" && each.start <= start && each.end >= end);
  return around.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
}

/** Tests if a name stands in tests, or in files that nothing is put into. */
export function isNamedElsewhere({ others }: Code, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  return others.some(({ text }) => word.test(text));
}

/** Name of a variable as its language writes it. */
export function variable({ language }: Pick<CodeFile, "language">, name: string): string {
  return language === "php" ? `$${name}` : name;
}

/** Blanks that the line of a place begins with. */
export function indentAt(text: string, place: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", place - 1) + 1))?.[0] ?? "";
}

/** Tests if nothing but blanks stands on the lines beside a range. */
export function ownsLines(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return /^[ \t]*$/.test(before) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
}

/** Range of a node with the comments right above it. */
export function withComments(file: CodeFile, node: TextRange): TextRange {
  const above = file.nodes.findLast(({ kind, end, start }) => {
    const between = file.text.slice(end, node.start);
    return (
      isComment(kind) &&
      end <= node.start &&
      /^[ \t]*\r?\n[ \t]*$/.test(between) &&
      ownsLines(file.text, { start, end })
    );
  });
  return above === undefined ? node : { start: withComments(file, above).start, end: node.end };
}

/** Lines of a range whole, with the empty ones that would be too many. */
export function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const next = end + (/^[^\n]*(?:\n|$)/.exec(text.slice(end))?.[0].length ?? 0);
  const above = text.slice(0, first).trimEnd();
  const ended = above.length + (/^[ \t]*\r?\n/.exec(text.slice(above.length, first))?.[0].length ?? 0);
  const behind = next + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(next))?.[0].length ?? 0);
  const isFirst = above === "" || above.endsWith("{");
  const isLast = behind === text.length || /^[ \t]*\}/.test(text.slice(behind));
  const dropsAbove = isLast || (!isFirst && first - ended <= behind - next);
  return dropsAbove ? { start: ended, end: next } : { start: first, end: behind };
}

/** Replacement of a range of a file. */
export interface Edit extends TextRange {
  readonly replacement: string;
}

/** The text with edits; `null`: two overlap. */
export function edited(text: string, edits: readonly Edit[]): string | null {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of sorted) {
    if (start < from) return null;
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  return [...pieces, text.slice(from)].join("");
}
