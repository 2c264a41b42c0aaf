import { describe, expect, it } from "vitest";
import { openStub } from "../../fixtures/open-stub.js";
import { textVector } from "../../fixtures/stub-model.js";
import { ok, type StubReply } from "../../fixtures/stub-server.js";
import { featureExtraction } from "../../fixtures/stub-servers/feature-extraction.js";

const NEVER = new AbortController().signal;
const OPTIONS = { provider: "huggingface", needs: ["embeddings"] } as const;

function open(reply: (inputs: string) => StubReply, settings: Readonly<Record<string, unknown>> = {}) {
  return openStub(featureExtraction(reply), { ...OPTIONS, settings });
}

describe("embeddings by a stub of Hugging Face's feature extraction", () => {
  it("are asked of the endpoint's root, and of nothing else", async () => {
    const { model, servers } = await open((inputs) => ok(textVector(inputs)));
    expect(await model.embed!("some code", NEVER)).toEqual({
      vector: textVector("some code"),
      pooling: "as the endpoint makes it",
    });
    expect(model.identity).toMatchObject({ kind: "TEI", model: "org/embedder", embeddings: "feature extraction" });
    const { requests } = servers[0]!;
    expect(requests.at(-1)).toMatchObject({ method: "POST", path: "/", body: { inputs: "some code" } });
    expect(requests.filter(({ path }) => !["/", "/info"].includes(path))).toEqual([]);
  });

  it("are the mean of the token states where an endpoint gives those", async () => {
    const { model } = await open((inputs) => ok([[...inputs].map((letter) => [letter.charCodeAt(0), 1])]));
    // a is 97, c is 99
    expect(await model.embed!("ac", NEVER)).toEqual({ vector: [98, 1], pooling: "mean" });
  });

  it("are refused where an endpoint gives none", async () => {
    const tooLong = { error: "Input validation error: `inputs` is too long", error_type: "validation" };
    await expect(open(() => ({ status: 413, body: tooLong }))).rejects.toThrow(
      /feature extraction: HTTP 413.*too long/s,
    );
    await expect(open(() => ok({ embeddings: [1] }))).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("say what an endpoint answered later in place of a vector", async () => {
    const { model } = await open((inputs) =>
      inputs === "too long" ? { status: 413, body: { error: "`inputs` is too long" } } : ok(textVector(inputs)),
    );
    await expect(model.embed!("too long", NEVER)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(
        /Expected an embedding, found POST \/feature-extraction: HTTP 413.*too long/,
      ) as string,
    });
  });

  it("wait for an endpoint that is loading, for as long as there is patience", async () => {
    let asked = 0;
    const { model } = await open((inputs) =>
      ++asked === 3 ? { status: 503, body: { error: "loading" } } : ok(textVector(inputs)),
    );
    // the check asked twice; the third is told to wait
    expect((await model.embed!("some code", NEVER)).vector).toHaveLength(8);
    expect(asked).toBe(4);
    await expect(open(() => ({ status: 503, body: { error: "loading" } }), { patienceSeconds: 0.1 })).rejects.toThrow(
      /HTTP 503/,
    );
  });
});
