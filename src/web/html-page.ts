import { createHash } from "node:crypto";
import type { Brand } from "../base/symbol.js";
import { join, jsonMarkup, type Markup, markup, scriptMarkup, styleMarkup } from "./markup.js";

/** A whole page in which all text is escaped; made here alone. */
export type Html = Brand<string, "Html">;

interface PageContent {
  readonly title: string;
  /** Maker of the page, in its head. */
  readonly generator: string;
  readonly style: string;
  /** Runs at the end of the page. */
  readonly script: string;
  readonly body: Markup;
  /** `true`: it may ask the server that it came from; else it asks nothing of anyone. */
  readonly isServed?: boolean;
}

/**
 * One file that loads nothing: style and script are in it, and its content security policy lets nothing else through.
 */
export function htmlPage({ body, ...frame }: PageContent): Html {
  const { before, behind } = frameOf(frame);
  return `${before.text}${body.text}${behind.text}` as Html;
}

/** The page in pieces, in their order: the body need not be in memory as a whole. */
export async function* htmlPieces(frame: PageFrame, body: AsyncIterable<Markup>): AsyncGenerator<Markup> {
  const { before, behind } = frameOf(frame);
  yield before;
  yield* body;
  yield behind;
}

/** The page that these are the pieces of. */
export async function wholePage(pieces: AsyncIterable<Markup>): Promise<Html> {
  const texts: string[] = [];
  for await (const { text } of pieces) texts.push(text);
  return texts.join("") as Html;
}

type PageFrame = Omit<PageContent, "body">;

/** Markup before the body, and behind it. */
function frameOf({
  title,
  generator,
  style,
  script,
  isServed = false,
}: PageFrame): Record<"before" | "behind", Markup> {
  const own = isServed ? "connect-src 'self'; form-action 'self'" : "form-action 'none'";
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; ${own}`;
  const before = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="${generator}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${styleMarkup(style)}
</head>
<body>
`;
  const behind = markup`
${scriptMarkup(script)}
</body>
</html>
`;
  return { before, behind };
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}

/**
 * Makers of an object's members: a value, or the elements of a list one at a time. Called in this order, each when
 * those before it were handed on.
 */
export type JsonMembers<T> = {
  readonly [Name in keyof T]: () =>
    | T[Name]
    | (T[Name] extends readonly (infer Element)[] ? AsyncIterable<Element> : never);
};

/** Elements of a list are handed on together, about so many characters at a time. */
const PIECE_CHARACTERS = 1 << 16;

/** An object as JSON for an element that holds data, as `jsonMarkup` has it, in pieces: it need not be there as a whole. */
export async function* jsonPieces<T extends object>(members: JsonMembers<T>): AsyncGenerator<Markup> {
  const entries: [string, () => unknown][] = Object.entries(members);
  yield markup`{`;
  for (const [i, [name, make]] of entries.entries()) {
    yield markup`${i > 0 && ","}${jsonMarkup(name)}:`;
    const value = make();
    if (isList(value)) yield* listPieces(value);
    else yield jsonMarkup(value);
  }
  yield markup`}`;
}

function isList(value: unknown): value is AsyncIterable<unknown> | readonly unknown[] {
  return Array.isArray(value) || (typeof value === "object" && value !== null && Symbol.asyncIterator in value);
}

async function* listPieces(elements: AsyncIterable<unknown> | readonly unknown[]): AsyncGenerator<Markup> {
  let held = [markup`[`];
  let [characters, count] = [0, 0];
  for await (const element of elements) {
    const json = jsonMarkup(element);
    held.push(markup`${count++ > 0 && ","}${json}`);
    characters += json.text.length;
    if (characters < PIECE_CHARACTERS) continue;
    yield join(held);
    [held, characters] = [[], 0];
  }
  yield join([...held, markup`]`]);
}
