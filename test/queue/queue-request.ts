import { setTimeout as sleep } from "node:timers/promises";
import { programIdentity } from "../../src/base/program-identity.js";
import type { QueueRequest } from "../../src/queue/queue-model.js";

/** A run about a model that is called `mine`. */
export function queueRequest(url: string, own: Partial<QueueRequest>): QueueRequest {
  return {
    url,
    label: "mine",
    settings: [],
    environment: {},
    onMessage: () => {},
    signal: new AbortController().signal,
    opening: { promptMode: "completion", mode: "fast", seed: 0, optionCount: null, needs: ["symbols"] },
    ...own,
  };
}

const { name, version, commit } = programIdentity();

/** What a worker says that has such a model. */
export const HELLO = JSON.stringify({
  program: { name, version, commit },
  label: "mine",
  settings: [],
  identity: { file: "aa" },
  name: "w",
});

/** Messages as they come. */
export function collect() {
  const messages: string[] = [];
  return {
    messages,
    add: (text: string) => {
      messages.push(text);
    },
    async until(part: string): Promise<string> {
      for (;;) {
        const found = messages.find((text) => text.includes(part));
        if (found !== undefined) return found;
        await sleep(20);
      }
    },
  };
}
