import { languageOfFile } from "../../base/source-path.js";
import type { TextRange } from "../../base/text.js";
import { type Declaration, pathOf } from "../../syntax/declarations.js";
import { loadSyntax } from "../../syntax/load.js";
import type { SmellPlace } from "./smell-case.js";

/** Lines of a file, from 1, both included; 0: what stands before the first. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines of the class or method that a smell was put into, in the smelly file: by the syntax tree, with decorators and
 * the whole body. Of a class alone: all of it, and its methods where they stand beside it, as in Go. A name that is declared
 * several times has several spans. Without class and method: the whole file.
 * @returns a text where there are none: why
 */
export async function smellyLines(place: SmellPlace, text: string): Promise<readonly LineSpan[] | string> {
  const { file, className, methodName } = place;
  if (className === null && methodName === null) return [{ first: 0, last: Number.POSITIVE_INFINITY }];
  const language = languageOfFile(file);
  if (language === null) return `no syntax for ${file}`;
  const syntax = await loadSyntax(language);
  const spans = rangesOf(syntax.declarations(text), className, methodName).map((range) => linesOf(text, range));
  const named = [className, methodName].filter((name) => name !== null).join(".");
  return spans.length === 0 ? `no ${named} in ${file}` : spans;
}

function rangesOf(
  declarations: readonly Declaration[],
  className: string | null,
  methodName: string | null,
): readonly TextRange[] {
  const types = className === null ? [] : pathOf(className);
  if (methodName === null)
    return declarations.filter(({ kind, name, within }) =>
      endsWith(kind === "type" ? [...within, name] : within, types),
    );
  // A method may be named with its class.
  const path = pathOf(methodName.replace(/^self\./, ""));
  const functions = declarations.filter(
    ({ kind, name, within }) => kind === "function" && endsWith([...within, name], path),
  );
  if (className !== null) return functions.filter(({ within }) => endsWith(within, types));
  const free = functions.filter(({ within }) => within.length === 0);
  return free.length > 0 ? free : functions;
}

/** Tests if a path ends with the names of another. */
function endsWith(path: readonly string[], names: readonly string[]): boolean {
  return names.length <= path.length && names.every((name, i) => path[path.length - names.length + i] === name);
}

function linesOf(text: string, { start, end }: TextRange): LineSpan {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  return { first: lineAt(start), last: lineAt(Math.max(start, end - 1)) };
}
