import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { parseSettings } from "../config.js";
import type { PatienceOptions } from "../http/endpoint.js";
import type { OpenModelOptions } from "../model.js";

const positive = z.coerce.number().positive();

/** Node's timers take a longer time for none at all. */
const LONGEST_TIMER_SECONDS = 2_147_483;

const settingsSchema = z.strictObject({
  /** Name of the way to use, of those the check tries; the best that works otherwise. */
  extraction: z.enum(["full", "guided", "top_logprobs", "generated"]).optional(),
  /** `required`: refuse a server that does not give the log probabilities of a whole text (for audits). */
  sequence: z.enum(["required"]).optional(),
  /** Most probable tokens to ask for. */
  topLogprobs: z.coerce.number().int().min(1).optional(),
  /** Wait this long for one reply. */
  timeoutSeconds: positive.max(LONGEST_TIMER_SECONDS).default(120),
  /** Wait this long for a server that is down. */
  patienceSeconds: positive.default(300),
  /** In the alias, in place of `--base-url`. */
  baseUrl: z.union([z.url(), z.array(z.url()).min(1)]).optional(),
  /** In the alias, in place of `--api-key-env`. */
  apiKeyEnv: z.string().min(1).optional(),
});

export type ServerSettings = z.infer<typeof settingsSchema>;

/** @throws ProbeError `bad_input` naming the setting */
export function parseServerSettings(settings: Readonly<Record<string, unknown>>): ServerSettings {
  return parseSettings(settingsSchema, "server", settings);
}

/** Requests under way at once, at most, unless `--concurrency` says otherwise. */
export const DEFAULT_CONCURRENCY = 64;

/** Patience with a model's servers, and the listener for waits. */
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
