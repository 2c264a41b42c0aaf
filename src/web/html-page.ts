import { createHash } from "node:crypto";
import type { Brand } from "../base/symbol.js";
import { type Markup, markup, scriptMarkup, styleMarkup } from "./markup.js";

/** A whole page in which all text is escaped; made here alone. */
export type Html = Brand<string, "Html">;

export interface PageContent {
  readonly title: string;
  /** What the page says it was made by. */
  readonly generator: string;
  readonly style: string;
  /** Runs at the end of the page. */
  readonly script: string;
  readonly body: Markup;
  /** Whether it may ask the server that it came from; else it asks nothing of anyone. */
  readonly isServed?: boolean;
}

/**
 * One file that loads nothing: style and script are in it, and its content security policy lets nothing else through.
 */
export function htmlPage({ body, ...frame }: PageContent): Html {
  const { before, behind } = frameOf(frame);
  return `${before.text}${body.text}${behind.text}` as Html;
}

/** Likewise in pieces, in their order: the body need not be there as a whole. */
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

/** What stands before the body, and behind it. */
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
