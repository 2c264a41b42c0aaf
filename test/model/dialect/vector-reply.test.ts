import { describe, expect, it } from "vitest";
import { readFeatures } from "../../../src/model/dialect/huggingface-dialect.js";
import { readListedVector } from "../../../src/model/dialect/openai-text-ways.js";

describe("an /embeddings reply", () => {
  it("holds one vector", () => {
    expect(readListedVector({ data: [{ embedding: [1, -0.5] }] })).toEqual({
      vector: [1, -0.5],
      pooling: "as the server makes it",
    });
  });

  it.each([{ data: [] }, { data: [{ embedding: [] }] }, { data: [{ embedding: "AACAPw==" }] }, { error: "no" }, null])(
    "holds none in %j",
    (reply) => expect(readListedVector(reply)).toBeNull(),
  );
});

describe("a feature extraction", () => {
  it("is a vector, or a list of one, as the endpoint makes it", () => {
    const made = { vector: [0.25, -1], pooling: "as the endpoint makes it" };
    expect(readFeatures([0.25, -1])).toEqual(made);
    expect(readFeatures([[0.25, -1]])).toEqual(made);
    expect(readFeatures([[[0.25, -1]]])).toEqual(made);
  });

  it("is the mean of a vector for each token", () => {
    // (1 + 3 + 2) / 3 = 2, (0 + 3 + 0) / 3 = 1
    const states = [
      [1, 0],
      [3, 3],
      [2, 0],
    ];
    expect(readFeatures(states)).toEqual({ vector: [2, 1], pooling: "mean" });
    expect(readFeatures([states])).toEqual({ vector: [2, 1], pooling: "mean" });
  });

  it.each([
    ["no numbers", []],
    ["vectors of different lengths", [[1, 2], [3]]],
    [
      "several texts",
      [
        [[1], [2]],
        [[3], [4]],
      ],
    ],
    ["null among the numbers", [1, null]],
    ["zeros", [0, 0]],
    ["an object", { embeddings: [1] }],
  ])("is none for %s", (_, reply) => {
    expect(readFeatures(reply)).toBeNull();
  });
});
