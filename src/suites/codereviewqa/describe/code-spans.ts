/** A stretch of a text: from `start` up to, and without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What stands between backticks: a run of n backticks opens, the next run of exactly n closes (CommonMark's code spans;
 * a fenced block is one of three). A run that nothing closes opens nothing. The backticks themselves are outside.
 */
export function codeSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ index, length: ticks.length }));
  const nextOfLength = followers(runs.map(({ length }) => length));
  const spans: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    const at = nextOfLength[i];
    const closing = at === undefined ? undefined : runs[at];
    if (opening === undefined || at === undefined || closing === undefined) continue;
    spans.push({ start: opening.index + opening.length, end: closing.index });
    i = at;
  }
  return spans;
}

/** For each item the place of the next equal one; `undefined` where there is none. */
function followers(items: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>();
  const places: (number | undefined)[] = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as number;
    places[i] = next.get(item);
    next.set(item, i);
  }
  return places;
}
