import { Worker } from "node:worker_threads";

/** An expression of a rule, by the rule's id. */
export interface ThreadRule {
  readonly id: string;
  readonly expressions: readonly { readonly source: string; readonly flags: string }[];
}

/**
 * Result of a rule in a text: lines of its matches from 1, equal neighbours once, or the reason why it was not run to
 * its end.
 */
export type ThreadResult =
  | { readonly status: "matched"; readonly rule: string; readonly lines: readonly (readonly [number, number])[] }
  | { readonly status: "failed"; readonly rule: string; readonly why: string };

const LIMIT_MEGABYTES = 512;

/** Tells when it starts with a text, and of every rule once it is done with it: who waits knows which one does not end. */
const WORKER = `
const { parentPort } = require("node:worker_threads");
const compiled = new Map();
const expressionOf = ({ source, flags }) => {
  const key = flags + " " + source;
  if (!compiled.has(key)) compiled.set(key, new RegExp(source, flags));
  return compiled.get(key);
};
const linesIn = (text) => {
  const starts = [0];
  for (let at = text.indexOf("\\n"); at !== -1; at = text.indexOf("\\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle; else high = middle - 1;
    }
    return low + 1;
  };
};
parentPort.on("message", ({ text, rules }) => {
  parentPort.postMessage(null);
  const lineAt = linesIn(text);
  for (const { expressions } of rules) {
    const lines = [];
    for (const expression of expressions) {
      for (const match of text.matchAll(expressionOf(expression))) {
        const end = match.index + Math.max(1, match[0].length) - 1;
        const [first, last] = [lineAt(match.index), lineAt(Math.min(end, text.length))];
        const before = lines.at(-1);
        if (before === undefined || before[0] !== first || before[1] !== last) lines.push([first, last]);
      }
    }
    parentPort.postMessage(lines);
  }
});
`;

/**
 * Runs regular expressions beside this thread: one may need more time than anybody has, and nothing but the end of its
 * thread ends it. One text after the other.
 */
export class RegexThread {
  readonly #limitMs: number;
  #worker: Worker | null = null;

  /** @param limitMs that a rule may take in a text */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * Every rule on a text, in their order.
   * @throws the reason of the signal when it is aborted
   */
  async run(text: string, rules: readonly ThreadRule[], signal: AbortSignal): Promise<ThreadResult[]> {
    const results: ThreadResult[] = [];
    while (results.length < rules.length) {
      signal.throwIfAborted();
      results.push(...(await this.#someOf(text, rules.slice(results.length), signal)));
    }
    return results;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /** Rules up to the first that does not end, or all. */
  async #someOf(text: string, rules: readonly ThreadRule[], signal: AbortSignal): Promise<ThreadResult[]> {
    this.#worker ??= new Worker(WORKER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: LIMIT_MEGABYTES } });
    const results: ThreadResult[] = [];
    const fault = await this.#hear(this.#worker, { text, rules }, signal, (lines) => {
      results.push({ status: "matched", rule: rules[results.length]?.id ?? "", lines });
      return results.length === rules.length;
    });
    if (fault === null) return results;
    await this.close();
    signal.throwIfAborted();
    const rule = rules[results.length]?.id ?? "";
    return [...results, { status: "failed", rule, why: fault }];
  }

  /**
   * Listens until all is said, or nothing comes for too long.
   * @param take what is said of the next rule; whether it was the last
   * @returns what is wrong; `null`: nothing
   */
  #hear(
    worker: Worker,
    message: { readonly text: string; readonly rules: readonly ThreadRule[] },
    signal: AbortSignal,
    take: (lines: readonly (readonly [number, number])[]) => boolean,
  ): Promise<string | null> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | null = null;
      const end = (fault: string | null) => {
        if (timer !== null) clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        worker.off("message", hear).off("error", fail).off("exit", leave);
        resolve(fault);
      };
      const stop = () => end("the scan was stopped");
      const fail = (error: Error) => end(error.message);
      const leave = () => end("its thread ended");
      const hear = (said: readonly (readonly [number, number])[] | null) => {
        if (timer !== null) clearTimeout(timer);
        if (said !== null && take(said)) return end(null);
        timer = setTimeout(() => end(`it was not done after ${this.#limitMs / 1000} s`), this.#limitMs);
      };
      signal.addEventListener("abort", stop, { once: true });
      worker.on("message", hear).on("error", fail).on("exit", leave);
      worker.postMessage(message);
    });
  }
}
