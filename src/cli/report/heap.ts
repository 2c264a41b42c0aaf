import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Has what is no longer needed collected when the heap has grown by a quarter, not by several times: each step of a report
 * lets go of most of what the one before it needed.
 */
export function keepHeapTight(): void {
  setFlagsFromString("--heap-growing-percent=25");
}

/** Collects what is no longer needed, now: before something that takes much memory outside the heap, such as grammars. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect();
}
