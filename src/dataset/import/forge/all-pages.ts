import { ShapeError } from "./errors.js";

/** Of all pages of a list together, characters of JSON: ten thousand comments have fewer. Some lists are read at once. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * What all pages of a list hold. One that never ends does not fill the memory.
 * @throws ShapeError when they hold more than any list has; what `itemsOf` throws
 */
export async function allPages<Page, T>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let characters = 0;
  for await (const page of pages) {
    characters += JSON.stringify(page).length;
    if (characters > MOST_CHARACTERS) throw new ShapeError(`a list of more than ${MOST_CHARACTERS} characters`);
    items.push(...itemsOf(page));
  }
  return items;
}
