/** What a probe of a task is called: `task#hunk`. */
const PROBE = /^(.+)#\d+$/;

/** The task that a probe is about; `null`: an item that is no such probe. */
export function taskOfProbe(item: string): string | null {
  return PROBE.exec(item)?.[1] ?? null;
}

/** Items that are one case together: the probes of a task; any other item alone. */
export function casesOf<T>(items: readonly T[], idOf: (item: T) => string): T[][] {
  const cases: T[][] = [];
  const byTask = new Map<string, T[]>();
  for (const item of items) {
    const task = taskOfProbe(idOf(item));
    const known = task === null ? undefined : byTask.get(task);
    if (known !== undefined) {
      known.push(item);
      continue;
    }
    const own = [item];
    cases.push(own);
    if (task !== null) byTask.set(task, own);
  }
  return cases;
}
