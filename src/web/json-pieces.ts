import { join, jsonMarkup, type Markup, markup } from "./markup.js";

/**
 * What makes the members of an object: a value, or the elements of a list one at a time. Asked for in this order, each when
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
