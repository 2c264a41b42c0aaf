/**
 * Works on a stream of items, some at once; memory: the items under way. Ends when there are no more, `isOver` says so,
 * or one fails: what is under way then is still finished.
 * @throws what the first item that failed threw
 */
export async function workAtOnce<T>(
  items: AsyncGenerator<T>,
  atOnce: number,
  isOver: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const worker = async () => {
    while (!isOver() && failures.length === 0) {
      const next = await items.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  const workers = Array.from({ length: atOnce }, () => worker().catch((error: unknown) => failures.push(error)));
  await Promise.all(workers);
  await items.return(undefined);
  if (failures.length > 0) throw failures[0];
}
