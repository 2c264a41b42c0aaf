import { setTimeout as wait } from "node:timers/promises";
import type { PatienceOptions } from "../http/endpoint.js";
import type { OpenModelOptions } from "../model.js";
import type { ServerSettings } from "./server-settings.js";

/** Requests under way at once, at most, unless `--concurrency` says otherwise. */
export const DEFAULT_CONCURRENCY = 64;

/** How a model's servers are waited for, and who is told of it. */
export function patienceOf(
  { connection, onMessage }: OpenModelOptions,
  { patienceSeconds, timeoutSeconds }: ServerSettings,
): PatienceOptions {
  return {
    maxConcurrency: connection.concurrency ?? DEFAULT_CONCURRENCY,
    patienceMs: patienceSeconds * 1000,
    timeoutMs: timeoutSeconds * 1000,
    now: () => performance.now(),
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
    random: Math.random,
    ...(onMessage && { onMessage }),
  };
}
