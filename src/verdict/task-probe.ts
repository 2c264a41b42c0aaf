/** Name of a task's probe: `task#hunk`. */
const PROBE = /^(.+)#\d+$/;

/** The task that a probe is about; `null`: an item that cannot be such a probe. */
export function taskOfProbe(item: string): string | null {
  return PROBE.exec(item)?.[1] ?? null;
}

/** Source of a probe, as its record says it. */
export function sourceOfProbe(suite: string, taskId: string, path: string, origin: string): string {
  return `${suite} ${taskId} ${path} (${origin})`;
}

/** `true`: a record is about a hunk of a suite's task, and its id does not merely look so, such as `owner/name#42`. */
export function isHunkOfTask(id: string, source: string): boolean {
  const task = taskOfProbe(id);
  return task !== null && source.slice(source.indexOf(" ")).startsWith(` ${task} `);
}
