import type { Model } from "../model/model.js";
import { encodeResult, parseWork, type Result, type Work } from "./wire.js";

/**
 * What a model replies to work that came from a queue.
 * @throws Error when the work is none, or nothing that the model can do
 */
export async function workOn(model: Model, value: unknown, signal: AbortSignal): Promise<object> {
  const parsed = tryParse(value);
  if (parsed === null) throw new Error("expected work for a model, found something else in the queue");
  return encodeResult(await replyTo(model, parsed, signal));
}

function tryParse(value: unknown): Work | null {
  try {
    return parseWork(value);
  } catch {
    return null;
  }
}

async function replyTo(model: Model, work: Work, signal: AbortSignal): Promise<Result> {
  switch (work.kind) {
    case "symbols": {
      if (model.scoreSymbols === undefined) throw cannot("score symbols");
      const replies = [];
      for await (const reply of model.scoreSymbols(work.requests, signal)) replies.push(reply);
      return { kind: "symbols", replies };
    }
    case "completion":
      if (model.complete === undefined) throw cannot("continue prompts");
      return { kind: "completion", reply: await model.complete(work.request, signal) };
    case "conversation":
      if (model.converse === undefined) throw cannot("hold conversations");
      return { kind: "conversation", reply: await model.converse(work.request, signal) };
  }
}

function cannot(what: string): Error {
  return new Error(`expected a model that can ${what}`);
}
