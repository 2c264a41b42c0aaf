import { randomBytes } from "node:crypto";
import { programIdentity } from "../base/program.js";
import type { Model } from "../model/model.js";
import { askingModel } from "./asking-model.js";
import { Listing } from "./listing.js";
import { connectRedis, queueAddress } from "./redis.js";
import type { RunNotice } from "./run-notice.js";
import { openQueues, type RunQueues } from "./run-queues.js";
import { SubmittedWork } from "./submitted-work.js";
import { takeLeave, unlessAborted } from "./waiting.js";

export interface QueueRequest {
  /** As `--queue` names it. */
  readonly url: string;
  readonly label: string;
  readonly settings: readonly string[];
  readonly opening: RunNotice["opening"];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onMessage: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * A model that workers have: what it is asked goes into a queue of this session alone, and comes back from whichever
 * worker takes it. Waits for the first worker, which says what the model is; others have to have the same.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function openQueueModel(request: QueueRequest): Promise<Model> {
  const { signal, onMessage } = request;
  const address = queueAddress(request.url, request.environment);
  const redis = await connectRedis(address);
  const run = randomBytes(8).toString("hex");
  const listing = new Listing(redis, run, { ...noticeOf(request), identity: null }, onMessage);
  let opened: RunQueues | null = null;
  const close = async () => {
    listing.stop();
    await takeLeave(redis, async () => {
      await listing.end();
      await opened?.remove();
    });
    redis.disconnect();
    await opened?.close().catch(() => undefined);
  };
  try {
    await unlessAborted(listing.begin(), signal);
    onMessage(`Waiting for a worker at ${address.shown}: probe worker --queue URL --model ${request.label}`);
    const identity = await listing.firstIdentity(signal);
    opened = await openQueues(address, run);
    await unlessAborted(opened.ready(), signal);
    await unlessAborted(listing.accept(identity), signal);
    const work = new SubmittedWork(opened.queues, opened.events);
    return askingModel(identity, work, onMessage, async () => {
      work.close();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function noticeOf({ label, settings, opening }: QueueRequest): Omit<RunNotice, "identity"> {
  const { name, version, commit } = programIdentity();
  return { program: { name, version, commit }, label, settings: [...settings], opening };
}
