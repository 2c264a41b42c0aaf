import { loadSyntax, type Syntax, type SyntaxNode } from "../../syntax/load.js";
import { filesOf, readTexts } from "../../workspace/tree-files.js";

/** The least share of its own code that the target must lose. */
const LEAST_LOSS = 1 / 4;
/** The most that any other file may gain, as a share of what the target held. */
const MOST_GAIN = 1 / 2;

/** Tokens of the files of a tree by their paths, comments and imports left out. */
export type HeldCode = ReadonlyMap<string, number>;

/** Reads the tokens of every file of a folder; a file of no language that is parsed is taken whole. */
export async function heldCode(source: string): Promise<HeldCode> {
  const javascript = await loadSyntax("javascript");
  const texts = await readTexts(source, await filesOf(source));
  return new Map(
    texts.map(({ path, text }) => [path, tokensIn(CODE.test(path) ? ownCode(text, javascript) : text)] as const),
  );
}

/** Tells whether code was taken apart: the target lost a quarter of its own, and no other file gained more than half of it. */
export function isTakenApart(target: string, before: HeldCode, after: HeldCode): boolean {
  const held = before.get(target) ?? 0;
  const kept = after.get(target);
  if (kept === undefined || kept > held * (1 - LEAST_LOSS)) return false;
  return [...after].every(([path, tokens]) => path === target || tokens - (before.get(path) ?? 0) <= held * MOST_GAIN);
}

/** Endings of code; the grammar of JavaScript finds comments and imports of TypeScript too. */
const CODE = /\.[mc]?[jt]sx?$/;

/**
 * Words and signs of a text, those within strings too, so that code that is kept in a string counts. A word counts once for
 * every eight characters begun, so that one that encodes code does as well.
 */
function tokensIn(text: string): number {
  return text.match(/[\p{L}\p{N}_$]{1,8}|[^\s\p{L}\p{N}_$]/gu)?.length ?? 0;
}

function ownCode(text: string, syntax: Syntax): string {
  const left = [...syntax.comments(text), ...importsIn(text, syntax.nodes(text))].sort((a, b) => a.start - b.start);
  let [own, from] = ["", 0];
  for (const { start, end } of left) {
    own += `${text.slice(from, Math.max(from, start))} `;
    from = Math.max(from, end);
  }
  return own + text.slice(from);
}

/** Imports, exports of what another file has, and constants that are nothing but what was required. */
function importsIn(text: string, nodes: readonly SyntaxNode[]): SyntaxNode[] {
  const reExports = new Set(
    nodes.flatMap(({ field, parent }) => (field === "source" && parent !== null ? [parent] : [])),
  );
  return nodes.filter(
    ({ kind, start, end }, place) =>
      kind === "import_statement" ||
      (kind === "export_statement" && reExports.has(place)) ||
      (/^(?:lexical|variable)_declaration$/.test(kind) && REQUIRED.test(text.slice(start, end))),
  );
}

const REQUIRED = /^(?:const|let|var)\s+[\w$\s{},:]+=\s*require\(\s*["'`][^"'`]*["'`]\s*\)\s*;?$/;
