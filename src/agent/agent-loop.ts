import { sumOrNull } from "../base/sums.js";
import { shorten } from "../base/text.js";
import type { Converse, Message, Said, ToolDefinition } from "../model/conversation.js";
import { knownCost, mostPromptTokens, type Price } from "../model/prices.js";
import type { FailedReply } from "../model/requests.js";
import type { AgentEnd, Attempt, AttemptMeter, AttemptResult } from "./agent.js";
import { callTool } from "./tool.js";

/** Characters of a tool's result that the model sees. */
export const MOST_RESULT = 16_000;
/** Tokens of a reply. */
const MOST_REPLY_TOKENS = 8192;
/** Replies without a call in a row that end an attempt. */
const MOST_SILENT = 3;

const REMINDER = "That was no call of a tool. Call one; when the task is done, call the one that says so.";

interface LoopOptions {
  readonly converse: Converse;
  /** `null`: what it costs is not known. */
  readonly price: Price | null;
  /** Tokens of thoughts before a reply at the most; absent: none. */
  readonly mostThoughts?: number;
}

/** Lets a model work with tools until it says that it is done, or a limit is met. */
export async function runLoop(attempt: Attempt, options: LoopOptions): Promise<AttemptResult> {
  return new Loop(attempt, options).run();
}

class Loop {
  readonly #attempt: Attempt;
  readonly #options: LoopOptions;
  readonly #messages: Message[];
  readonly #definitions: readonly ToolDefinition[];
  #deadline: number;
  #calls = 0;
  #turns = 0;
  #silent = 0;
  #promptTokens: number | null = 0;
  #completionTokens: number | null = 0;
  /** Tokens at the most, by which a budget is held: what is not told counts as much as it may be. */
  readonly #most = { prompt: 0, completion: 0 };

  constructor(attempt: Attempt, options: LoopOptions) {
    this.#attempt = attempt;
    this.#options = options;
    this.#definitions = attempt.tools.map(({ definition }) => definition);
    this.#messages = [
      { role: "system", content: attempt.system },
      { role: "user", content: attempt.user },
    ];
    this.#deadline = performance.now() + (attempt.limits.timeLimitMs ?? Number.POSITIVE_INFINITY);
    for (const message of this.#messages) attempt.note(message);
  }

  async run(): Promise<AttemptResult> {
    for (;;) {
      this.#attempt.signal.throwIfAborted();
      const limit = this.#limitMet();
      if (limit !== null) return this.#done(limit, null, limit === "budget" ? this.#budgetText() : null);
      const reply = await this.#ask();
      if (reply.status === "failed") return this.#failed(reply);
      const result = await this.#take(reply);
      if (result !== null) return result;
    }
  }

  #leftMs(): number {
    return this.#deadline - performance.now();
  }

  #limitMet(): AgentEnd | null {
    const { maxCalls, budgetUsd } = this.#attempt.limits;
    if (this.#calls >= maxCalls) return "max_calls";
    if (this.#leftMs() <= 0) return "time_limit";
    const spent = this.#mostUsd();
    return budgetUsd !== null && spent !== null && spent >= budgetUsd ? "budget" : null;
  }

  #budgetText(): string | null {
    if (this.#meter().costUsd !== null) return null;
    return "the service did not tell all tokens: they were counted at the most that they may be";
  }

  async #ask() {
    const left = this.#leftMs();
    const stopped = this.#attempt.signal;
    const signal = Number.isFinite(left)
      ? AbortSignal.any([stopped, AbortSignal.timeout(Math.max(1, Math.ceil(left)))])
      : stopped;
    const request = {
      messages: [...this.#messages],
      tools: this.#definitions,
      toolChoice: "required",
      maxTokens: MOST_REPLY_TOKENS,
      temperature: 0,
      seed: this.#attempt.seed,
      responseFormat: null,
      key: { ...this.#attempt.key, turn: this.#turns++ },
    } as const;
    try {
      return await this.#options.converse(request, signal);
    } catch (error) {
      if (stopped.aborted || !signal.aborted) throw error;
      // A timer may be a little early by this clock.
      this.#deadline = Math.min(this.#deadline, performance.now());
      return { status: "failed", failure: "unavailable", detail: "the time limit was met" } as const;
    }
  }

  #failed({ failure, detail }: FailedReply): AttemptResult {
    this.#attempt.note({ role: "failure", failure, detail });
    // What was refused or broken off may be paid for, and nobody says what; a context that is full was not worked on.
    if (failure !== "context_overflow") this.#count(null, null);
    if (this.#leftMs() <= 0) return this.#done("time_limit", null, null);
    if (failure === "context_overflow" || failure === "refused") return this.#done(failure, null, detail);
    return { status: "unreachable", detail };
  }

  async #take(reply: Said): Promise<AttemptResult | null> {
    const { promptTokens, completionTokens, thoughts } = reply;
    this.#count(promptTokens, completionTokens);
    this.#say(
      { role: "assistant", content: reply.text, toolCalls: reply.toolCalls, ...(thoughts && { thoughts }) },
      { promptTokens, completionTokens },
    );
    // A reply that was under way is waited for, as it is paid for; too late to be acted on.
    if (this.#leftMs() <= 0) return this.#done("time_limit", null, null);
    if (reply.toolCalls.length === 0) {
      if (++this.#silent >= MOST_SILENT) return this.#done("no_tool_call", null, null);
      this.#say({ role: "user", content: REMINDER });
      return null;
    }
    this.#silent = 0;
    for (const call of reply.toolCalls) {
      const leftMs = this.#leftMs();
      if (this.#calls >= this.#attempt.limits.maxCalls || leftMs <= 0) break;
      this.#calls++;
      const answer = await callTool(this.#attempt.tools, call, leftMs);
      if (answer.kind === "finish") {
        this.#attempt.note({ role: "finish", success: answer.success, summary: answer.summary });
        return this.#done("finished", answer.success, null);
      }
      this.#say({ role: "tool", callId: call.id, name: call.name, content: cut(answer.text) });
    }
    return null;
  }

  #count(promptTokens: number | null, completionTokens: number | null): void {
    this.#promptTokens = sumOrNull([this.#promptTokens, promptTokens]);
    this.#completionTokens = sumOrNull([this.#completionTokens, completionTokens]);
    this.#most.prompt += promptTokens ?? mostPromptTokens([this.#messages, this.#definitions]);
    this.#most.completion += completionTokens ?? MOST_REPLY_TOKENS + (this.#options.mostThoughts ?? 0);
  }

  #mostUsd(): number | null {
    return knownCost(this.#options.price, this.#most.prompt, this.#most.completion);
  }

  /** @param told what is noted besides, and no part of the conversation */
  #say(message: Message, told: object = {}): void {
    this.#messages.push(message);
    this.#attempt.note({ ...message, ...told });
  }

  #done(end: AgentEnd, reportedSuccess: boolean | null, detail: string | null): AttemptResult {
    // Who is stopped has reported no success.
    const reported = reportedSuccess ?? false;
    const text = detail === null ? null : shorten(detail, 500);
    return { status: "done", end, reportedSuccess: reported, detail: text, ...this.#meter() };
  }

  #meter(): AttemptMeter {
    const [promptTokens, completionTokens] = [this.#promptTokens, this.#completionTokens];
    const costUsd = knownCost(this.#options.price, promptTokens, completionTokens);
    return { calls: this.#calls, promptTokens, completionTokens, costUsd, mostUsd: this.#mostUsd() };
  }
}

function cut(text: string): string {
  if (text.length <= MOST_RESULT) return text;
  return `${text.slice(0, MOST_RESULT)}\n… cut: ${text.length} characters in all`;
}
