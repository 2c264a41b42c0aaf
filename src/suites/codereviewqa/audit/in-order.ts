/**
 * Works on several items at once and yields the results in the order of the items. Stops taking items when the signal is
 * aborted; work that fails because of that is not an error. Memory: `concurrency` items.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<Outcome<R>>[] = [];
  for await (const item of items) {
    if (signal.aborted) break;
    underWay.push(outcomeOf(work(item)));
    const first = underWay.length >= concurrency ? underWay.shift() : undefined;
    if (first === undefined) continue;
    const outcome = await first;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
  for (const each of underWay) {
    const outcome = await each;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
}

type Outcome<R> = { readonly done: true; readonly result: R } | { readonly done: false; readonly error: unknown };

/** A failure waits for its turn, so that no rejection is left alone. */
function outcomeOf<R>(work: Promise<R>): Promise<Outcome<R>> {
  return work.then(
    (result) => ({ done: true, result }),
    (error: unknown) => ({ done: false, error }),
  );
}

function resultOf<R>(outcome: Outcome<R>): R {
  if (outcome.done) return outcome.result;
  throw outcome.error;
}
