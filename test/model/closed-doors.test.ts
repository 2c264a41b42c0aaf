import { describe, expect, it } from "vitest";
import { checkNotes } from "../../src/model/check/check-report.js";
import type { Model } from "../../src/model/model.js";
import type { Think } from "../../src/model/requests.js";
import { openStub } from "../fixtures/open-stub.js";
import { chatPrompt, nextTokens } from "../fixtures/stub-model.js";
import type { StubHandler } from "../fixtures/stub-server.js";
import { anthropic } from "../fixtures/stub-servers/anthropic.js";
import * as stubs from "../fixtures/stub-servers/closed-doors.js";
import { tgi } from "../fixtures/stub-servers/tgi.js";
import { repliesTo, requestFor } from "./contract.js";

interface Case {
  readonly stubOf: string;
  readonly handler: StubHandler;
  readonly provider: string;
  readonly way: string;
  /** Facts of the identity: what was learnt. */
  readonly leftOut?: string;
  readonly renamed?: string;
  /** End of its thoughts; `null`: it does not think unless it is asked to. */
  readonly end: "hidden" | "closed" | null;
}

const JSON_SCHEMA = "letter by JSON schema";
const CALL = "letter by a forced call";
const ALONE = "generated letter after thoughts";
const LIMIT = "max_tokens as max_completion_tokens";

/** What the check finds with `--think off`, by the refusals at the head of each stub. */
const CASES: readonly Case[] = [
  {
    stubOf: "OpenAI's reasoning models",
    handler: stubs.openaiThinker(),
    provider: "openai",
    way: JSON_SCHEMA,
    leftOut: "reasoning_effort, temperature",
    renamed: LIMIT,
    end: "hidden",
  },
  {
    stubOf: "the Responses API alone",
    handler: stubs.responsesOnly(),
    provider: "openai",
    way: `${JSON_SCHEMA}, Responses API`,
    leftOut: "temperature",
    end: "hidden",
  },
  {
    stubOf: "DeepSeek's reasoner",
    handler: stubs.deepseekReasoner(),
    provider: "deepseek",
    way: CALL,
    leftOut: "tool_choice",
    end: "closed",
  },
  {
    stubOf: "Mistral",
    handler: stubs.mistral(),
    provider: "mistral",
    way: "generated letter",
    end: null,
  },
  {
    stubOf: "Azure OpenAI",
    handler: stubs.openaiThinker(),
    provider: "azure",
    way: JSON_SCHEMA,
    leftOut: "reasoning_effort, temperature",
    renamed: LIMIT,
    end: "hidden",
  },
  { stubOf: "LM Studio", handler: stubs.lmStudio(), provider: "lmstudio", way: JSON_SCHEMA, end: "closed" },
  {
    stubOf: "DeepSeek, whose thoughts are switched off",
    handler: stubs.deepseekSwitched(),
    provider: "deepseek",
    way: "generated letter",
    end: null,
  },
  { stubOf: "Gemini", handler: stubs.gemini(), provider: "google", way: "generated letter", end: null },
  { stubOf: "Groq", handler: stubs.groq(), provider: "groq", way: "generated letter", end: null },
  {
    stubOf: "xAI",
    handler: stubs.xai(),
    provider: "xai",
    way: JSON_SCHEMA,
    leftOut: "reasoning_effort",
    end: "hidden",
  },
  {
    stubOf: "OpenRouter",
    handler: stubs.openrouter(),
    provider: "openrouter",
    way: JSON_SCHEMA,
    leftOut: "temperature",
    renamed: LIMIT,
    end: "closed",
  },
  { stubOf: "thoughts in the text", handler: stubs.thoughtsInText(), provider: "ollama", way: ALONE, end: "closed" },
  { stubOf: "Anthropic", handler: anthropic(), provider: "anthropic", way: "generated letter", end: null },
];

const PROMPTS = Array.from({ length: 12 }, (_, i) => `Question ${i}?\n### Answer with the letter. Answer:\n`);

async function open({ handler, provider }: Pick<Case, "handler" | "provider">, think?: Think): Promise<Model> {
  const asked = think === undefined ? {} : { think };
  const { model } = await openStub(handler, {
    provider,
    promptMode: "chat",
    connection: { allowGenerated: true },
    ...asked,
  });
  return model;
}

/** The letter that the model behind a stub likes best. */
function truth(prompt: string): string {
  return nextTokens(chatPrompt(prompt)).find(({ text }) => /^[A-D]$/.test(text))!.text;
}

describe.each(CASES)("stub of $stubOf", (each) => {
  it("is asked for letters, by what it does not refuse, and never takes one from its thoughts", async () => {
    const model = await open(each, "off");
    expect(model.check?.chosen).toBe(each.way);
    const { left_out: leftOut, renamed } = model.identity;
    expect({ leftOut, renamed }).toEqual({ leftOut: each.leftOut, renamed: each.renamed });
    const asked = PROMPTS.map((prompt, i) => ({ ...requestFor(prompt, i), think: "off" as const }));
    const replies = await repliesTo(model, asked);
    for (const [i, reply] of replies.entries()) {
      // After thoughts, one letter and nothing else is asked for, in words that are part of the prompt.
      const said =
        each.way === ALONE ? `${PROMPTS[i]}\n\nWrite one letter (A, B, C, D) and nothing else.` : PROMPTS[i]!;
      expect(reply).toMatchObject({ status: "named", symbol: truth(said), extraction: "generated" });
      expect(reply.thoughts?.end ?? null).toBe(each.end);
    }
  });

  it("thinks where it is asked to, and tells what it took", async () => {
    // It takes no effort.
    const think = each.provider === "xai" ? ({ tokens: 1024 } as const) : "low";
    const model = await open(each, think);
    const [reply] = await repliesTo(model, [{ ...requestFor(PROMPTS[0]!), think }]);
    const isSwitched = ["anthropic", "google", "deepseek", "mistral"].includes(each.provider);
    const tokens = each.end === null && !isSwitched ? 5 : 155;
    expect(reply).toMatchObject({ status: "named", completionTokens: tokens });
  });
});

describe("letters without log probabilities", () => {
  it("are read from TGI's text, of raw prompts", async () => {
    const server = tgi();
    const hidden: StubHandler = (request) =>
      request.body["parameters"] !== undefined && "details" in (request.body["parameters"] as object)
        ? { status: 422, body: { error: "no details" } }
        : server(request);
    const { model } = await openStub(hidden, { provider: "huggingface", connection: { allowGenerated: true } });
    expect(model.check?.chosen).toBe("generated letter");
    const [reply] = await repliesTo(model, [requestFor(PROMPTS[0]!)]);
    const best = nextTokens(PROMPTS[0]!).find(({ text }) => /^[A-D]$/.test(text))!.text;
    expect(reply).toMatchObject({ status: "named", symbol: best, extraction: "generated" });
  });

  it("are none in a reply that is no text at all, whatever its status", async () => {
    const spent: StubHandler = ({ method }) =>
      method === "POST" ? { status: 200, body: { detail: "quota exceeded" } } : null;
    await expect(open({ handler: spent, provider: "openai" })).rejects.toThrow("quota exceeded");
  });
});

describe("thoughts that take all of the budget", () => {
  it("are a failure of their own, with what was spent, and no guess", async () => {
    const model = await open({ handler: stubs.openaiThinker(), provider: "openai" }, { tokens: 200 });
    // The check has room; a request with less has none: 10 tokens of thoughts and 256 for a letter are more than 150.
    const body = { ...requestFor(PROMPTS[0]!), think: { tokens: 200 } };
    expect((await repliesTo(model, [body]))[0]).toMatchObject({ status: "named" });
    const short = await open({ handler: stubs.thoughtsInText(), provider: "ollama" });
    expect(short.check?.chosen).toBe(ALONE);
  });

  it("are told by the check of a model that has no room for a letter", async () => {
    const endless: StubHandler = ({ path, body }) =>
      path.endsWith("/chat/completions")
        ? {
            status: 200,
            body: {
              id: "endless-1",
              choices: [{ message: { content: "<think>A? B?" }, finish_reason: "length" }],
              usage: { completion_tokens: body["max_tokens"] },
            },
          }
        : null;
    await expect(open({ handler: endless, provider: "ollama" }, { tokens: 300 })).rejects.toThrow(
      "generated letter after thoughts: the reply ended before a letter, after 556 tokens: allow more (--think TOKENS)",
    );
  });
});

describe("a budget of thoughts at Anthropic", () => {
  const doors = { handler: anthropic(), provider: "anthropic" };

  it("is what was named: with 1,024 tokens, and 256 of a letter, as a limit of cost reserves them", async () => {
    const model = await open(doors, { tokens: 1024 });
    const thinking = { type: "enabled", budget_tokens: 1024 };
    expect(model.check?.request?.body).toMatchObject({ thinking, max_tokens: 1280 });
  });

  it.each([
    [["symbols"], 1023],
    [["completions"], 100],
    [["tools"], 100],
    [[], 100],
  ] as const)("is refused below that before anything is asked (%j, %i tokens)", async (needs, tokens) => {
    let asked = 0;
    const counting: StubHandler = (request) => {
      asked++;
      return doors.handler(request);
    };
    const opened = openStub(counting, { ...doors, promptMode: "chat", needs, think: { tokens } });
    const message = expect.stringContaining(`of at least 1024 tokens for anthropic:stub, found ${tokens}: `);
    await expect(opened).rejects.toMatchObject({ code: "bad_input", message });
    expect(asked).toBe(0);
  });

  it("is named as the way out where a model takes no effort, or the other way about: not what was given", async () => {
    const refusing = (kind: string): StubHandler => {
      const message = `thinking.type.${kind} is not supported for this model`;
      const body = { type: "error", error: { type: "invalid_request_error", message } };
      return (request) =>
        (request.body["thinking"] as { type?: string } | undefined)?.type === kind
          ? { status: 400, body }
          : doors.handler(request);
    };
    const refused = (kind: string, think: Think) => open({ ...doors, handler: refusing(kind) }, think);
    const says = (way: string) => ({ message: expect.stringContaining(`Nothing was asked. Ask for ${way}`) });
    await expect(refused("adaptive", "low")).rejects.toMatchObject(says("a number of tokens (--think TOKENS), which"));
    await expect(refused("enabled", { tokens: 1024 })).rejects.toMatchObject(says("an effort (--think low), which"));
  });
});

describe("a refusal by name", () => {
  it("is told in the table of the check, and before a run", async () => {
    const model = await open({ handler: stubs.openaiThinker(), provider: "openai" });
    const notes = [
      "without temperature, which the server refuses by name",
      "max_completion_tokens in place of max_tokens, which the server refuses by name",
      "replies are drawn at the server's own temperature",
    ];
    expect(model.check?.ways.find(({ way }) => way === JSON_SCHEMA)?.notes).toEqual([
      "no log probabilities: no margin, no symbol mass",
      "155 tokens a letter, thoughts included",
      ...notes,
    ]);
    expect(checkNotes(model, { writes: false })).toContain(`Model check (${JSON_SCHEMA}): ${notes[0]}.`);
    expect(model.check?.request?.body).toMatchObject({ max_completion_tokens: 8448 });
    expect(model.check?.request?.body).not.toHaveProperty("temperature");
  });

  it("is learnt for conversations too", async () => {
    for (const { handler, provider } of CASES.filter(({ stubOf }) => stubOf !== "thoughts in the text")) {
      const { model } = await openStub(handler, { provider, promptMode: "chat", needs: ["tools"] });
      expect(model.check?.chosen, provider).toMatch(/with tools/);
    }
  });

  it("of a parameter that was left out already, or that the way is none without, ends the way", async () => {
    let asked = 0;
    const stubborn: StubHandler = ({ path }) => {
      if (!path.endsWith("/chat/completions")) return null;
      asked++;
      const error = {
        message: "Unsupported parameter: 'temperature', 'model', 'messages'",
        param: "temperature",
        code: "unsupported_parameter",
      };
      return { status: 400, body: { error } };
    };
    await expect(open({ handler: stubborn, provider: "openai" })).rejects.toThrow("found no way that does");
    // Nine ways of chats, with temperature and without; letters by the Responses API are 404.
    expect(asked).toBeLessThanOrEqual(18);
  });
});
