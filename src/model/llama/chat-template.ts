import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { LlamaModel } from "node-llama-cpp";
import { badInput } from "../../base/errors.js";
import { shortenLines } from "../../base/text.js";

/** One message, as templates take it. */
export interface Turn {
  readonly role: string;
  readonly content: string;
}

/** A template comes with a file: it may loop for ever, or fill the memory. */
const LIMIT_MS = 10_000;
const LIMIT_MEGABYTES = 128;
const LIMIT_CHARACTERS = 1 << 24;

/** Runs beside this thread, so that what does not end can be ended. */
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { Template } = require(workerData.jinja);
let template;
const { bos: bos_token, eos: eos_token } = workerData;
parentPort.on("message", ({ messages, variables }) => {
  try {
    template ??= new Template(workerData.source);
    const text = template.render({ ...variables, messages, add_generation_prompt: true, bos_token, eos_token });
    if (text.length > workerData.limit) throw new Error("it makes a text of " + text.length + " characters");
    parentPort.postMessage({ text });
  } catch (error) {
    parentPort.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
});
`;

/** Variables of a template by name. */
export type Variables = Readonly<Record<string, string | boolean>>;

interface Rendering {
  readonly messages: readonly Turn[];
  readonly variables: Variables;
}

type Rendered = { readonly text: string } | { readonly fault: string };

/** A model's chat template (Jinja), rendered in a thread of its own with limits of time and memory. */
export class ChatTemplate {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: string, { bosString, eosString }: Pick<LlamaModel["tokens"], "bosString" | "eosString">) {
    const jinja = createRequire(import.meta.url).resolve("@huggingface/jinja");
    this.#worker = new Worker(WORKER, {
      eval: true,
      workerData: { jinja, source, limit: LIMIT_CHARACTERS, bos: bosString ?? "", eos: eosString ?? "" },
      resourceLimits: { maxOldGenerationSizeMb: LIMIT_MEGABYTES },
    });
    // The caller of `render` is told; the error must not end the process besides.
    this.#worker.on("error", () => {});
    this.#worker.unref();
  }

  /**
   * The text that the template makes of messages, up to the beginning of the next one. One call after the other.
   * @param variables further ones of the template, such as `enable_thinking`
   * @throws ProbeError `bad_input` when it fails, or takes more than its limits; the signal's reason when it is aborted
   */
  render(messages: readonly Turn[], signal: AbortSignal, variables: Variables = {}): Promise<string> {
    const rendered = this.#last.then(() => this.#renderNow({ messages, variables }, signal));
    this.#last = rendered.catch(() => undefined);
    return rendered;
  }

  async #renderNow(asked: Rendering, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const rendered = await this.#answer(asked, signal);
    if ("text" in rendered) return rendered.text;
    signal.throwIfAborted();
    throw badInput(
      `Expected the model's chat template to be rendered, found that ${shortenLines(rendered.fault, 300)}. ` +
        "Give another (--model-arg chatTemplate=…), or use --prompt-mode completion.",
    );
  }

  #answer(asked: Rendering, signal: AbortSignal): Promise<Rendered> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (rendered: Rendered) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        worker.off("message", end).off("error", fail).off("exit", leave);
        resolve(rendered);
      };
      const fail = (error: Error) => end({ fault: error.message });
      const leave = () => end({ fault: "its thread was ended" });
      const stop = () => {
        end({ fault: `it was not done after ${LIMIT_MS / 1000} s` });
        void worker.terminate();
      };
      // Keeps the process alive while the thread, which does not, works.
      const timer = setTimeout(stop, LIMIT_MS);
      signal.addEventListener("abort", stop, { once: true });
      worker.on("message", end).on("error", fail).on("exit", leave);
      worker.postMessage(asked);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
