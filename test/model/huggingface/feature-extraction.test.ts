import { afterEach, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import { openModel, resolveModel } from "../../../src/model/registry.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { type StubReply, type StubServer, startStub } from "../../fixtures/stub-server.js";
import { featureExtraction } from "../../fixtures/stub-servers/feature-extraction.js";

describe("embeddings by a stub of Hugging Face's feature extraction", () => {
  let server: StubServer;
  let model: Model;

  const embed = async (reply: StubReply["body"] | (() => StubReply), path = "") => {
    server = await startStub(featureExtraction(reply));
    const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}${path}`] };
    model = await openModel(resolveModel("huggingface:stub", new Map()), { ...OPEN_OPTIONS, connection });
    return model.embed!("some code", new AbortController().signal);
  };

  afterEach(async () => {
    await model.close();
    await server.stop();
  });

  it("reads one vector", async () => {
    expect(await embed([0.25, -1, 3])).toEqual([0.25, -1, 3]);
    expect(server.requests.at(-1)).toMatchObject({ method: "POST", path: "/", body: { inputs: "some code" } });
  });

  it("reads a list of one vector", async () => {
    expect(await embed([[0.25, -1, 3]])).toEqual([0.25, -1, 3]);
  });

  it("asks the endpoint's root, whether or not its address ends in /v1", async () => {
    expect(await embed([1, 2], "/v1")).toEqual([1, 2]);
  });

  it.each([
    ["one vector a token", [[1], [2]]],
    ["no numbers", []],
    ["an object", { embeddings: [1] }],
  ])("refuses %s", async (_, reply) => {
    await expect(embed(reply)).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("says what an endpoint answered in place of a vector", async () => {
    const error = { error: "Input validation error: `inputs` is too long", error_type: "validation" };
    await expect(embed(() => ({ status: 413, body: error }))).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/Expected an embedding, found HTTP 413.*too long/) as string,
    });
  });

  it("asks an endpoint that is down once, not for ever", async () => {
    await expect(embed(() => ({ status: 503, body: { error: "loading" } }))).rejects.toThrow(/HTTP 503/);
    expect(server.requests.filter(({ path }) => path === "/")).toHaveLength(1);
  });
});
