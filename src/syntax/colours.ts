import { KeptOnce } from "../base/grouping.js";
import type { Language } from "../base/language.js";
import { isComment, type Leaf, loadSyntax } from "./load.js";

/** Keyword, string, number, comment, type: a class of the page's style. */
type Colour = "k" | "s" | "n" | "c" | "t";

/** More code than this is shown without colours. */
const MAX_CHARACTERS = 200_000;

/** Colours of code, kept once: models are shown beside the same revisions, and write like ones. */
const COLOURS = new KeptOnce<Promise<string[]>>(1000);

/** Stretches to colour, by line: colour, start and length in base 36, such as `k0.2 n5.1`. */
export function coloursByLine(lines: readonly string[], language: Language): Promise<string[]> {
  const code = lines.join("\n");
  if (code.length > MAX_CHARACTERS) return Promise.resolve(lines.map(() => ""));
  return COLOURS.made(`${language} ${code}`, () => coloursOf(code, lines, language));
}

async function coloursOf(code: string, lines: readonly string[], language: Language): Promise<string[]> {
  const { leaves } = (await loadSyntax(language)).parse(code);
  const stretches = leaves.flatMap((leaf) => {
    const colour = colourOf(leaf, code);
    return colour === null ? [] : [{ colour, start: leaf.start, end: leaf.end }];
  });
  let start = 0;
  let next = 0;
  return lines.map((line) => {
    const end = start + line.length;
    const found: string[] = [];
    while (next > 0 && (stretches[next - 1]?.end ?? 0) > start) next--;
    for (; next < stretches.length; next++) {
      const stretch = stretches[next];
      if (stretch === undefined || stretch.start >= end) break;
      const from = Math.max(stretch.start, start) - start;
      const to = Math.min(stretch.end, end) - start;
      if (to > from) found.push(`${stretch.colour}${from.toString(36)}.${(to - from).toString(36)}`);
    }
    start = end + 1;
    return found.join(" ");
  });
}

/** Nine grammars, and as many names for the same: told by what the names have in common. */
function colourOf({ kind, isNamed, parentKind, start, end }: Leaf, code: string): Colour | null {
  const around = parentKind ?? "";
  if (isComment(kind)) return "c";
  if (isInString(kind, around, isNamed)) return "s";
  if (/number|integer|float|decimal|int_literal|real_literal|imaginary/.test(kind)) return "n";
  if (/^(true|false|nil|null|null_literal|none|this|self|super|boolean_literal)$/i.test(kind)) return "k";
  if (/primitive_type|type_identifier|predefined_type|integral_type|void_type|constant$/.test(kind)) return "t";
  return !isNamed && /^#?[a-z_]+$/i.test(code.slice(start, end)) ? "k" : null;
}

function isInString(kind: string, around: string, isNamed: boolean): boolean {
  const isText = /string|char_literal|character|heredoc|regex|escape_sequence|encapsed|system_lib|symbol$/;
  if (isText.test(kind)) return true;
  // The quotes themselves; not names within an interpolation.
  return !isNamed && /^["'`/@$bfru]*["'`/]$/i.test(kind) && isText.test(around);
}
