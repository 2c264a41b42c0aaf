import { type DrawInteger, shuffled } from "../../../base/random.js";
import { isTestPath, languageOfFile } from "../../../base/source-path.js";
import type { Declaration } from "../../../syntax/declarations.js";
import { loadSyntax } from "../../../syntax/load.js";
import type { CodeText } from "../../../trial/bench-task.js";

/** A function that may be copied under a name that nobody calls. */
interface Copied {
  readonly path: string;
  /** File and name, by which it is copied once. */
  readonly key: string;
  readonly declaration: Declaration;
  readonly name: string;
}

/** Dead code put into files. */
export interface DeadCode {
  /** The files as they are with it. */
  readonly files: readonly CodeText[];
  /** Place of the first piece: file, class, function. */
  readonly place: readonly [string, string | null, string];
  /** Functions that were copied. */
  readonly copied: readonly string[];
}

const LEAST_LINES = 3;
const MOST_LINES = 60;

/** Words that a copy's name ends with. */
const WORDS = ["Draft", "Former", "Plain", "Spare", "Variant"];
/** Languages whose names are joined by underscores. */
const SNAKE = new Set(["python", "ruby", "c", "php"]);

/**
 * Draws functions of a repository and copies each below itself under another name, each in a file of its own: nothing calls
 * them, so what the code does stays.
 * @param files that many files
 * @param taken functions that are not copied again
 * @returns `null`: there are not as many files with such functions
 */
export async function drawDeadCode(
  texts: readonly CodeText[],
  files: number,
  taken: ReadonlySet<string>,
  draw: DrawInteger,
): Promise<DeadCode | null> {
  const whole = texts.map(({ text }) => text).join("\n");
  const drawn: Copied[] = [];
  for (const file of shuffled(texts, draw)) {
    if (drawn.length === files) break;
    const keyOf = ({ name, start }: Declaration) => `${file.path}:${name}:${start}`;
    const own = (await candidatesOf(file)).filter((each) => !taken.has(keyOf(each)));
    const [first] = shuffled(own, draw);
    if (first === undefined) continue;
    const name = newName(first.name, file.path, draw);
    if (!whole.includes(name)) drawn.push({ path: file.path, key: keyOf(first), declaration: first, name });
  }
  const [main] = drawn;
  if (main === undefined || drawn.length < files) return null;
  const owner = main.declaration.within.at(-1) ?? null;
  return {
    place: [main.path, owner, main.name],
    copied: drawn.map(({ key }) => key),
    files: drawn.map(({ path, ...copied }) => ({ path, text: withCopy(textOf(texts, path), copied) })),
  };
}

function textOf(texts: readonly CodeText[], path: string): string {
  return texts.find((file) => file.path === path)?.text ?? "";
}

/** Functions that stand on lines of their own, and are no constructors. */
async function candidatesOf({ path, text }: CodeText): Promise<Declaration[]> {
  const language = languageOfFile(path);
  if (language === null || isTestPath(path)) return [];
  const syntax = await loadSyntax(language);
  return syntax.declarations(text).filter(({ kind, name, within, start, end }) => {
    const own = text.slice(start, end);
    const lines = own.split("\n").length;
    const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    const isPlain = /^[ \t]*$/.test(before) || (language === "javascript" && before === "export ");
    const isWhole = language !== "javascript" || /^(?:export )?(?:async )?function\b/.test(own) || within.length > 0;
    const isMade = name === within.at(-1) || /^(?:constructor|__\w+__|initialize|main|init)$/.test(name);
    const isNamed = /^[A-Za-z_]\w*$/.test(name) && kind === "function" && !isMade;
    const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
    return isNamed && isPlain && isWhole && isLast && lines >= LEAST_LINES && lines <= MOST_LINES;
  });
}

function newName(name: string, path: string, draw: DrawInteger): string {
  const [word = ""] = shuffled(WORDS, draw);
  return SNAKE.has(languageOfFile(path) ?? "") ? `${name}_${word.toLowerCase()}` : `${name}${word}`;
}

/** The text with the copy behind what it copies, indented alike. */
function withCopy(text: string, { declaration, name }: Pick<Copied, "declaration" | "name">): string {
  const { start, end } = declaration;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1))?.[0] ?? "";
  const own = text.slice(start, end).replace(/^export (?:default )?/, "");
  const copy = own.replace(new RegExp(`\\b${declaration.name}\\b`, "g"), name);
  return `${text.slice(0, end)}\n\n${indent}${copy}${text.slice(end)}`;
}
