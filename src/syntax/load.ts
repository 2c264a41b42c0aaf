import { join } from "node:path";
import type { Language as Grammar, Node, Parser, Tree, TreeCursor } from "web-tree-sitter";
import { packageRoot } from "../base/folders.js";
import type { Language } from "../base/language.js";
import type { TextRange } from "../base/text.js";
import { type Declaration, declarationsIn, MOST_DEPTH } from "./declarations.js";

/** A node of the syntax tree without children: a token of the language, such as an identifier or an operator. */
export interface Leaf extends TextRange {
  /** The grammar's name of it, such as `identifier`; the text itself for fixed tokens such as `(`. */
  readonly kind: string;
  /** Tells whether the grammar gives it a name of its own: not so for punctuation, operators, most keywords. */
  readonly isNamed: boolean;
  /** Kind of the node around it; `null` at the root. */
  readonly parentKind: string | null;
}

/** The leaves of a piece of code, and how many places of it do not parse. */
export interface ParsedCode {
  /** Leaves in the order of the text; comments are leaves too. */
  readonly leaves: readonly Leaf[];
  /** Places that the grammar cannot make sense of, or where it misses something. */
  readonly errors: number;
}

/** A node of the syntax tree at its place in the tree. */
export interface SyntaxNode extends Pick<Leaf, "start" | "end" | "kind" | "isNamed"> {
  /** Place of the node around it in the list; `null` at the root. */
  readonly parent: number | null;
  /** Role in the node around it, such as `consequence`; `null` where the grammar does not say. */
  readonly field: string | null;
  readonly isLeaf: boolean;
}

/** Reads code of one language; fragments too: a hunk seldom is a whole file. */
export interface Syntax {
  readonly language: Language;
  parse(code: string): ParsedCode;
  /** `errors` of the parsed code, without its leaves. */
  errors(code: string): number;
  /** All nodes in the order of the text, parents first; of code nested deeper than 1,000, what is deeper is left out. */
  nodes(code: string): readonly SyntaxNode[];
  /** Ranges of the comments, in the order of the text. */
  comments(code: string): readonly TextRange[];
  /** Its classes and functions, in the order of the text. */
  declarations(code: string): readonly Declaration[];
  /** Tells whether the text is a fixed token of the language, such as `return` or `+`. */
  isFixed(text: string): boolean;
}

const loading = new Map<Language, Promise<Syntax>>();

/** The syntax of a language, by its official tree-sitter grammar; loaded once a process. */
export function loadSyntax(language: Language): Promise<Syntax> {
  const found = loading.get(language) ?? openSyntax(language);
  loading.set(language, found);
  return found;
}

let initialised: Promise<void> | null = null;

async function openSyntax(language: Language): Promise<Syntax> {
  const { Parser, Language: Grammars } = await import("web-tree-sitter");
  initialised ??= Parser.init();
  await initialised;
  const grammar: Grammar = await Grammars.load(grammarPath(language));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return new TreeSitterSyntax(language, parser, {
    // The anonymous node types of a grammar are its keywords, operators and brackets.
    fixed: nodeTypes(grammar, (id) => !grammar.nodeTypeIsNamed(id)),
    comments: [...nodeTypes(grammar, (id) => isComment(grammar.nodeTypeForId(id) ?? ""))],
  });
}

function nodeTypes(grammar: Grammar, isWanted: (id: number) => boolean): ReadonlySet<string> {
  const ids = Array.from({ length: grammar.nodeTypeCount }, (_, id) => id);
  return new Set(ids.flatMap((id) => (isWanted(id) ? (grammar.nodeTypeForId(id) ?? []) : [])));
}

/** Node types of a grammar that are of one kind. */
interface KnownTypes {
  /** Tokens without a name of their own. */
  readonly fixed: ReadonlySet<string>;
  readonly comments: string[];
}

/** Megabytes of code take seconds; a few kilobytes that were made for it take the square of their length, hours. */
const LONGEST_PARSE_MS = 60_000;

class TreeSitterSyntax implements Syntax {
  readonly language: Language;
  readonly #parser: Parser;
  readonly #types: KnownTypes;

  constructor(language: Language, parser: Parser, types: KnownTypes) {
    this.language = language;
    this.#parser = parser;
    this.#types = types;
  }

  isFixed(text: string): boolean {
    return this.#types.fixed.has(text);
  }

  parse(code: string): ParsedCode {
    return this.#walk(code, readTree);
  }

  errors(code: string): number {
    return this.#walk(code, (tree) => (tree.rootNode.hasError ? readTree(tree).errors : 0));
  }

  nodes(code: string): readonly SyntaxNode[] {
    return this.#walk(code, readNodes);
  }

  comments(code: string): readonly TextRange[] {
    return this.#walk(code, ({ rootNode }) => {
      const found: TextRange[] = [];
      for (const node of rootNode.descendantsOfType(this.#types.comments)) {
        const { startIndex: start, endIndex: end } = node ?? { startIndex: 0, endIndex: 0 };
        // Of a comment within a comment, the outer one is the comment.
        if (end > start && start >= (found.at(-1)?.end ?? 0)) found.push({ start, end });
      }
      return found;
    });
  }

  declarations(code: string): readonly Declaration[] {
    return this.#walk(code, ({ rootNode }) => declarationsIn(rootNode));
  }

  /** Trees live in the grammar's own memory, and have to be given back. */
  #walk<T>(code: string, read: (tree: Tree) => T): T {
    const latest = performance.now() + LONGEST_PARSE_MS;
    const tree = this.#parser.parse(code, null, { progressCallback: () => performance.now() > latest });
    if (tree === null) {
      this.#parser.reset();
      throw new Error(`The ${this.language} parser came to no end of ${code.length} characters.`);
    }
    try {
      return read(tree);
    } finally {
      tree.delete();
    }
  }
}

/** Tells whether a node of this kind is a comment: `comment`, `line_comment`, `block_comment`. */
export function isComment(kind: string): boolean {
  return /(^|_)comment$/.test(kind);
}

/** Reads by moves of the cursor: a node for each place, asked for all that is wanted of it, takes twice the time. */
function readTree(tree: Tree): ParsedCode {
  const leaves: Leaf[] = [];
  let errors = 0;
  /** Kinds of the nodes around the cursor, that of the root first. */
  const around: string[] = [];
  const cursor = tree.walk();
  try {
    do {
      const kind = descend(cursor, around, () => errors++);
      const { startIndex: start, endIndex: end } = cursor;
      if (end > start)
        leaves.push({ kind, isNamed: cursor.nodeIsNamed, start, end, parentKind: around.at(-1) ?? null });
      else if (cursor.nodeIsMissing) errors++;
    } while (goOn(cursor, around));
  } finally {
    cursor.delete();
  }
  return { leaves, errors };
}

/**
 * Goes down to the first leaf; a comment is one.
 * @param around gets the kinds of the nodes that it goes through
 * @returns the kind of the leaf
 */
function descend(cursor: TreeCursor, around: string[], onError: () => void): string {
  for (;;) {
    const kind = cursor.nodeType;
    // Tokens without a name are called so too.
    if (kind === "ERROR" && cursor.currentNode.isError) onError();
    if (isComment(kind) || !cursor.gotoFirstChild()) return kind;
    around.push(kind);
  }
}

/** Goes to what follows in the text; `false`: nothing does. */
function goOn(cursor: TreeCursor, around: string[]): boolean {
  while (!cursor.gotoNextSibling()) {
    if (!cursor.gotoParent()) return false;
    around.pop();
  }
  return true;
}

/** All nodes in the order of the text with their depths, parents first; the parts of a comment (its text, its delimiters) left out. */
function* nodesOf(cursor: TreeCursor): Generator<{ readonly node: Node; readonly depth: number }> {
  // Counted here: the cursor finds its depth by a walk to the root.
  let depth = 0;
  for (;;) {
    const node = cursor.currentNode;
    yield { node, depth };
    if (depth < MOST_DEPTH && !isComment(node.type) && cursor.gotoFirstChild()) {
      depth++;
      continue;
    }
    for (; !cursor.gotoNextSibling(); depth--) if (!cursor.gotoParent()) return;
  }
}

function readNodes(tree: Tree): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  /** The last node of each depth. */
  const around: number[] = [];
  const cursor = tree.walk();
  try {
    for (const { node, depth } of nodesOf(cursor)) {
      const { type, isNamed, startIndex, endIndex, childCount } = node;
      around[depth] = nodes.length;
      nodes.push({
        kind: type,
        isNamed,
        start: startIndex,
        end: endIndex,
        parent: around[depth - 1] ?? null,
        field: cursor.currentFieldName,
        isLeaf: childCount === 0 || isComment(type),
      });
    }
  } finally {
    cursor.delete();
  }
  return nodes;
}

/** The grammar files, copied from the official tree-sitter packages when the program is built. */
const FILES: Readonly<Record<Language, string>> = {
  c: "tree-sitter-c.wasm",
  cpp: "tree-sitter-cpp.wasm",
  csharp: "tree-sitter-c_sharp.wasm",
  go: "tree-sitter-go.wasm",
  java: "tree-sitter-java.wasm",
  javascript: "tree-sitter-javascript.wasm",
  // PHP without its opening tag: a hunk seldom has one.
  php: "tree-sitter-php_only.wasm",
  python: "tree-sitter-python.wasm",
  ruby: "tree-sitter-ruby.wasm",
};

/** Path of a language's grammar. */
function grammarPath(language: Language): string {
  return join(packageRoot, "dist/grammars", FILES[language]);
}
