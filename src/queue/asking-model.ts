import type { FailedReply, Model, RequestKey, SymbolRequest } from "../model/model.js";
import type { Outcome, SubmittedWork } from "./submitted-work.js";
import type { Result, Work } from "./wire.js";

/** Questions that may be in the queue at once: enough for any number of workers, little enough to hold. */
const MOST_WAITING = 256;

type ResultOf<Kind extends Work["kind"]> = Extract<Result, { readonly kind: Kind }>;
type Missed = Exclude<Outcome, { readonly status: "done" }>;

/**
 * A model whose every reply comes from a queue.
 * @param onMessage told of each piece of work that has none
 */
export function askingModel(
  identity: Model["identity"],
  submitted: Pick<SubmittedWork, "ask">,
  onMessage: (message: string) => void,
  close: () => Promise<void>,
): Model {
  const ask = async <Kind extends Work["kind"]>(
    work: Work & { readonly kind: Kind },
    name: string,
    signal: AbortSignal,
  ): Promise<ResultOf<Kind> | Missed> => {
    const outcome = await submitted.ask(work, signal);
    // Its kind was checked when it came.
    if (outcome.status === "done") return outcome.result as ResultOf<Kind>;
    onMessage(`${name}: ${textOf(outcome)}`);
    return outcome;
  };
  return {
    identity,
    maxOpenGroups: MOST_WAITING,
    async *scoreSymbols(requests, signal) {
      const [first] = requests;
      const found = await ask(
        { kind: "symbols", requests },
        first === undefined ? "nothing" : nameOf(first.key),
        signal,
      );
      if ("kind" in found) yield* found.replies;
      else yield* requests.map((request, index) => ({ index, reply: { ...missedOrder(found, request), ...NO_METER } }));
    },
    async complete(request, signal) {
      const name = request.key === undefined ? "a completion" : `${request.key.task} ${request.key.exampleId}`;
      const found = await ask({ kind: "completion", request }, name, signal);
      return "kind" in found ? found.reply : missed(found, name);
    },
    async converse(request, signal) {
      const name = request.key === undefined ? "a conversation" : `${request.key.taskId} ${request.key.condition}`;
      const found = await ask({ kind: "conversation", request }, name, signal);
      return "kind" in found ? found.reply : missed(found, name);
    },
    close,
  };
}

const NO_METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };

function textOf(outcome: Missed): string {
  if (outcome.status === "failed") return `a worker failed: ${outcome.detail}`;
  return `given up after ${outcome.deliveries} deliveries, each worker that had it ended`;
}

/**
 * What was lost is named: it is no failure of the model, which is given up after many that are alike. What workers fail
 * at is told without a name, so that it counts as such.
 */
function missed(outcome: Missed, name: string): FailedReply {
  const text = textOf(outcome);
  const detail = outcome.status === "lost" ? `${name}: ${text}` : text;
  return { status: "failed", failure: "unavailable", detail };
}

function missedOrder(outcome: Missed, { key }: SymbolRequest): FailedReply {
  return missed(outcome, `${nameOf(key)} (order ${key.permutation})`);
}

/** Such as `CL hard 0123456789ab`. */
function nameOf({ task, difficulty, ablation, exampleId }: RequestKey): string {
  const withheld = ablation === undefined ? null : `−${ablation}`;
  return [task, difficulty, withheld, exampleId].filter((word) => word !== null).join(" ");
}
