import { createHash } from "node:crypto";
import type { Brand } from "../base/brand.js";
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
export function htmlPage({ title, generator, style, script, body, isServed = false }: PageContent): Html {
  const own = isServed ? "connect-src 'self'; form-action 'self'" : "form-action 'none'";
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; ${own}`;
  const page = markup`<!doctype html>
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
${body}
${scriptMarkup(script)}
</body>
</html>
`;
  return page.text as Html;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}
