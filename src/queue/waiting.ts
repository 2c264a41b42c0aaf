import type { Redis } from "ioredis";

/**
 * What a server answers, unless the signal is aborted first: one that is away is waited for without end.
 * @throws the signal's reason when it is aborted
 */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  if (signal.aborted) stop();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** How long a server may take for what is said to it last. */
const FAREWELL_MS = 5_000;

/** Says something last; not to a server that is away, which nothing waits for at the end. */
export async function takeLeave(redis: Redis, farewell: () => Promise<unknown>): Promise<void> {
  if (redis.status !== "ready") return;
  await unlessAborted(farewell(), AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
}
