/** Yields what the promises give, in the order in which they settle; a rejection is thrown at its turn. */
export async function* asCompleted<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const settle: ((result: Promise<T>) => void)[] = [];
  const turns = promises.map(() => new Promise<T>((resolve) => settle.push(resolve)));
  let settled = 0;
  for (const promise of promises) {
    const next = () => {
      settle[settled++]?.(promise);
    };
    promise.then(next, next);
  }
  // A turn that is never awaited (the reader stopped) must not count as unhandled.
  for (const turn of turns) turn.catch(() => {});
  for (const turn of turns) yield await turn;
}
