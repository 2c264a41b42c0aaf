import { describe, expect, it } from "vitest";
import { CheckRefusal } from "../../../src/model/check/check-report.js";
import type { Capability } from "../../../src/model/requests.js";
import { altered, alteredChoice } from "../../fixtures/altered-server.js";
import { openStub, type StubOptions } from "../../fixtures/open-stub.js";
import { tokenize } from "../../fixtures/stub-model.js";
import type { StubHandler } from "../../fixtures/stub-server.js";
import { completionApi } from "../../fixtures/stub-servers/completion-api.js";
import { DISHONEST } from "../../fixtures/stub-servers/dishonest.js";
import { openai } from "../../fixtures/stub-servers/openai.js";
import { tgi } from "../../fixtures/stub-servers/tgi.js";
import { vllm } from "../../fixtures/stub-servers/vllm.js";

type Choice = Readonly<Record<string, unknown>>;
type Place = Readonly<Record<string, { readonly logprob: number | null }>> | null;

async function refusalOf(
  handler: StubHandler,
  needs: readonly Capability[],
  options: StubOptions = {},
): Promise<CheckRefusal> {
  const refused = await openStub(handler, { ...options, needs }).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof CheckRefusal)) throw new Error(`expected a refusal, found ${String(refused)}`);
  return refused;
}

/** What every place but the first of `prompt_logprobs` is made. */
function places(change: (place: NonNullable<Place>, i: number) => unknown): StubHandler {
  return alteredChoice(vllm({}, { echo: "refused" }), (choice) => {
    const given = choice["prompt_logprobs"] as readonly Place[] | undefined;
    return { ...choice, prompt_logprobs: given?.map((place, i) => (place === null ? null : change(place, i))) };
  });
}

const numbers = (logprob: unknown) => (place: NonNullable<Place>) =>
  Object.fromEntries(Object.entries(place).map(([id, token]) => [id, { ...token, logprob }]));

describe("a server asked for the scores of whole texts", () => {
  const REFUSED: [kind: string, handler: StubHandler, reason: RegExp][] = [
    ["ignores echo", DISHONEST["ignores echo"], /echo: reported no token of the prompt: it ignores echo/],
    [
      "ignores prompt_logprobs and echo",
      alteredChoice(vllm({}, { echo: "ignored" }), ({ prompt_logprobs: _, ...choice }) => choice),
      /prompt_logprobs: .*ignores prompt_logprobs\n {2}echo: .*ignores echo/s,
    ],
    ["refuses echo", openai(), /echo: HTTP 400: .*'echo' and 'logprobs'/],
    [
      "scores another text",
      altered(vllm({}, { echo: "refused" }), (_, { body }) =>
        body["prompt_logprobs"] === undefined
          ? null
          : vllm()({ method: "POST", path: "/v1/completions", body: { ...body, prompt: "Another text altogether" } }),
      ),
      /prompt_logprobs: reported \d+ tokens that are not the text's/,
    ],
    [
      "cuts the text's end off",
      alteredChoice(vllm({}, { echo: "refused" }), (choice) => ({
        ...choice,
        prompt_logprobs: (choice["prompt_logprobs"] as Place[] | undefined)?.slice(0, -3),
      })),
      /prompt_logprobs: reported \d+ tokens that are not the text's/,
    ],
    [
      "gives null for a number",
      places((place, i) => (i === 4 ? null : place)),
      /prompt_logprobs: reported \d+ tokens that are not the text's/,
    ],
    ["gives null in place of numbers", places(numbers(null)), /left out the log probability of token 2 of/],
    ["gives strings in place of numbers", places(numbers("NaN")), /another shape/],
    ["gives -9999 for a number", places(numbers(-9999)), /reported -9999, which is no log probability/],
    ["gives probabilities", places(numbers(0.5)), /reported 0.5, which is no log probability/],
    [
      "gives the same numbers for every text",
      altered(vllm({}, { echo: "refused" }), (_, { body }) => {
        if (body["prompt_logprobs"] === undefined) return null;
        const ids = tokenize(String(body["prompt"]));
        const listed = ids.map(({ id, text }, i) =>
          i === 0 ? null : { [id]: { logprob: -i, rank: 2, decoded_token: text } },
        );
        return { status: 200, body: { choices: [{ text: "x", prompt_logprobs: listed }] } };
      }),
      /the same numbers for different prompts/,
    ],
  ];

  it.each(REFUSED)("is refused when it %s, with the ways out", async (_, handler, reason) => {
    const { code, message, report } = await refusalOf(handler, ["token_scores"]);
    expect(message).toMatch(reason);
    expect(message).toContain("Expected openai:stub to report the log probabilities of a whole text's tokens");
    expect(message).toMatch(/Nothing was asked\. Use the same GGUF file in process .*vLLM.*honour echo/);
    expect(code).toBe("model_unavailable");
    expect(report.chosen).toBeNull();
  });

  it("is asked in the next way where the first is not sound", async () => {
    const handler = alteredChoice(vllm(), ({ prompt_logprobs: _, ...choice }) => choice);
    const { model } = await openStub(handler, { needs: ["token_scores"] });
    expect(model.check).toMatchObject({
      chosen: "echo",
      ways: [
        { way: "prompt_logprobs", extraction: "sequence", status: "refused" },
        { way: "echo", extraction: "sequence", status: "works" },
      ],
    });
  });

  it("is not believed that every token is the most probable", async () => {
    // lists the prompt's own tokens, and no other that might be above them
    const listsOwn = alteredChoice(
      completionApi({ owner: "x", limits: { completions: 5, chat: 5 }, echo: "prompt" }),
      (choice: Choice) => {
        const { tokens, token_logprobs } = choice["logprobs"] as {
          tokens: string[];
          token_logprobs: (number | null)[];
        };
        const top_logprobs = tokens.map((token, i) => ({ [token]: token_logprobs[i] ?? null }));
        return { ...choice, logprobs: { tokens, token_logprobs, top_logprobs } };
      },
    );
    const { model } = await openStub(listsOwn, { needs: ["token_scores"] });
    expect(await model.scoreTokens!("a Paris", new AbortController().signal)).toMatchObject({ isGreedy: [null, null] });
    expect(model.check?.ways[0]?.notes.join()).toMatch(
      /does not tell which token is the most probable: no n-gram accuracy/,
    );
  });

  it("is refused where its API has no such request", async () => {
    const noEndpoint = { provider: "huggingface", promptMode: "chat" } as const;
    const ignoring = altered(tgi(), ({ body }) => ({
      status: 200,
      body: { ...(body as object), details: { prefill: [] } },
    }));
    const { message } = await refusalOf(ignoring, ["token_scores"], noEndpoint);
    expect(message).toMatch(/TGI \/generate, decoder_input_details: .*it ignores decoder_input_details/);
    expect((await refusalOf(tgi(), ["infill"], noEndpoint)).message).toMatch(
      /to fill a gap in a text.*\n {2}its API has no such request\n/,
    );
  });
});

describe("a server asked to write", () => {
  it("is refused when it does not", async () => {
    const nothing = altered(vllm(), (_, { path }) =>
      path === "/v1/completions" ? { status: 200, body: { ok: true } } : null,
    );
    const { message } = await refusalOf(nothing, ["completions"]);
    expect(message).toMatch(
      /to continue a prompt, found no way that does:\n {2}completions: HTTP 200, but without a completion/,
    );
  });

  it("takes the limit's newer name where a server wants that", async () => {
    const newer = completionApi({
      owner: "openai",
      limits: { completions: 5, chat: 20 },
      instead: ({ body }) =>
        body["max_tokens"] === undefined
          ? null
          : {
              status: 400,
              body: { error: { message: "Use 'max_completion_tokens' instead.", code: "unsupported_parameter" } },
            },
    });
    const { model, servers } = await openStub(newer, { needs: ["completions"], promptMode: "chat" });
    expect(model.check?.chosen).toBe("chat completions, max_completion_tokens");
    expect(servers[0]!.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 8, temperature: 0 });
  });

  it("may spend its first tokens on reasoning, and is warned of", async () => {
    const reasoner = alteredChoice(vllm(), (choice) => ({
      ...choice,
      message: { role: "assistant", content: null, reasoning_content: "Well, let us" },
    }));
    const { model } = await openStub(reasoner, { needs: ["completions"], promptMode: "chat" });
    expect(model.check?.ways[0]).toMatchObject({
      status: "works",
      notes: [expect.stringContaining("it may reason first") as string],
    });
  });

  const GAPS: [kind: string, handler: StubHandler, reason: RegExp][] = [
    ["refuses suffix", vllm(), /completions with suffix: HTTP 400: .*suffix is not currently supported/],
    [
      "ignores suffix",
      completionApi({ owner: "x", limits: { completions: 5, chat: 5 }, suffix: "ignored" }),
      /counted \d+ prompt tokens with a long suffix and \d+ with a short: it ignores suffix/,
    ],
    [
      "ignores suffix and counts nothing",
      altered(
        completionApi({ owner: "x", limits: { completions: 5, chat: 5 }, suffix: "ignored" }),
        ({ body }, { path }) =>
          path === "/v1/completions" ? { status: 200, body: { ...(body as object), usage: null } } : null,
      ),
      /wrote the same text whatever comes after the gap: it ignores suffix/,
    ],
  ];

  it.each(GAPS)("fills no gap when it %s", async (_, handler, reason) => {
    const { message } = await refusalOf(handler, ["infill"]);
    expect(message).toMatch(reason);
    expect(message).toMatch(/fill-in-the-middle tokens.*--model path\/to\/model\.gguf.*llama\.cpp's server/);
  });
});

describe("a server asked for vectors", () => {
  const VECTORS: [kind: string, body: unknown, reason: RegExp][] = [
    [
      "the same one for every text",
      { data: [{ embedding: [1, 2] }] },
      /embeddings: made the same vector of different texts/,
    ],
    ["none", { data: [] }, /without one vector/],
    ["null among the numbers", { data: [{ embedding: [1, null] }] }, /without one vector/],
    ["more than one", { data: [{ embedding: [1, 2] }, { embedding: [3, 4] }] }, /without one vector/],
    ["zeros", { data: [{ embedding: [0, 0] }] }, /without one vector/],
  ];

  it.each(VECTORS)("is refused when it gives %s", async (_, body, reason) => {
    const { message } = await refusalOf(
      altered(openai(), () => ({ status: 200, body })),
      ["embeddings"],
    );
    expect(message).toMatch(reason);
    expect(message).toContain("--embeddings --pooling mean");
  });
});

describe("what a model is opened for", () => {
  it("is all that is checked, and all that it can do", async () => {
    const { model, servers } = await openStub(openai(), { needs: ["infill", "embeddings"] });
    expect([model.scoreSymbols, model.scoreTokens, model.complete]).toEqual([undefined, undefined, undefined]);
    expect(model.infill).toBeTypeOf("function");
    expect(model.embed).toBeTypeOf("function");
    expect(model.identity).toMatchObject({ infill: "completions with suffix", embeddings: "embeddings" });
    expect(model.identity).not.toHaveProperty("extraction");
    expect(servers[0]!.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
  });

  it("may be several things at once, in one check", async () => {
    const { model } = await openStub(vllm(), { needs: ["completions", "symbols", "token_scores"] });
    expect(model.check?.chosen).toBe("structured_outputs");
    expect(model.identity).toMatchObject({
      extraction: "structured_outputs",
      token_scores: "prompt_logprobs",
      completions: "completions",
    });
    expect(model.check?.ways.filter(({ status }) => status === "works").map(({ extraction }) => extraction)).toEqual([
      "guided",
      "sequence",
      "completion",
    ]);
  });

  it("may be its tokenizer alone: then nothing is asked", async () => {
    const { model, servers } = await openStub(vllm(), { needs: [], settings: { sequence: "required" } });
    expect(servers[0]!.requests.filter(({ path }) => /completions|embeddings/.test(path))).toEqual([]);
    expect(await model.countTokens!("a Paris")).toBe(2);
    expect(model.scoreSymbols).toBeUndefined();
  });

  it("names the first that lacks, with the rows of all", async () => {
    const { message, report } = await refusalOf(vllm(), ["infill", "completions"]);
    expect(message).toContain("to fill a gap");
    expect(report.ways.map(({ extraction, status }) => [extraction, status])).toEqual([
      ["completion", "works"],
      ["infill", "not_offered"],
    ]);
  });

  it("has sequence=required among it", async () => {
    const settings = { sequence: "required" };
    const { message } = await refusalOf(DISHONEST["ignores echo"], ["completions"], { settings });
    expect(message).toMatch(/whole text's tokens.*it ignores echo/s);
    const { model } = await openStub(vllm(), { needs: ["completions"], settings });
    expect(model.scoreTokens).toBeTypeOf("function");
  });
});

describe("several servers", () => {
  const another = alteredChoice(vllm(), (choice) => ({
    ...choice,
    prompt_logprobs: (choice["prompt_logprobs"] as Place[] | undefined)?.map(
      (place) => place && numbers(3 * Number(Object.values(place)[0]?.logprob))(place),
    ),
  }));

  it("must score texts alike", async () => {
    const { model } = await openStub([vllm(), vllm()], { needs: ["token_scores"] });
    expect(model.scoreTokens).toBeTypeOf("function");
    await expect(openStub([vllm(), another], { needs: ["token_scores"] })).rejects.toThrow(
      /to serve the same model as .*, found other numbers for the same prompts\. Leave it out\./,
    );
  });

  it("must embed alike, and each do what is needed", async () => {
    const mirrored = altered(openai(), ({ body }, { path }) => {
      if (path !== "/v1/embeddings") return null;
      const [{ embedding }] = (body as { data: [{ embedding: number[] }] }).data;
      return { status: 200, body: { data: [{ embedding: embedding.toReversed() }] } };
    });
    await expect(openStub([openai(), mirrored], { needs: ["embeddings"] })).rejects.toThrow(/found other numbers/);
    await expect(openStub([openai(), vllm()], { needs: ["infill"] })).rejects.toThrow(/found HTTP 400: .*suffix/);
  });
});
