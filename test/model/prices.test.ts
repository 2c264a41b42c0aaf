import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_CONNECTION } from "../../src/model/model.js";
import { costOf, findPrice } from "../../src/model/prices.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const model = (label: string) => resolveModel(label, new Map());
const here = () => dirname(folder.path("x"));

function configure(models: Record<string, { input: number; output: number }>): void {
  const prices = { as_of: "2026-11-01", currency: "EUR", models };
  writeFileSync(folder.path("probe.config.json"), JSON.stringify({ prices }));
}

describe("costOf", () => {
  it("is tokens times the price per million, of both kinds", () => {
    // 2,000,000 × 3 / 1e6 + 500,000 × 8 / 1e6 = 6 + 4
    const price = { currency: "EUR", inputPerMillion: 3, outputPerMillion: 8, asOf: "2026-11-01" };
    expect(costOf(price, 2_000_000, 500_000)).toBe(10);
  });
});

describe("findPrice", () => {
  it("knows hosted models from the shipped list, dated versions too", async () => {
    const plain = await findPrice(model("openai:gpt-4o"), NO_CONNECTION, here());
    expect(plain).toMatchObject({ currency: "USD", asOf: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
    expect(await findPrice(model("openai:gpt-4o-2024-08-06"), NO_CONNECTION, here())).toEqual(plain);
    // The first version costs more than those that followed.
    const first = await findPrice(model("openai:gpt-4o-2024-05-13"), NO_CONNECTION, here());
    expect(first).toEqual({ ...plain, inputPerMillion: 5, outputPerMillion: 15 });
  });

  it("does not charge a server of one's own for a model of that name", async () => {
    const connection = { ...NO_CONNECTION, baseUrls: ["http://127.0.0.1:1/v1"] };
    expect(await findPrice(model("openai:gpt-4o"), connection, here())).toBeNull();
  });

  it("prefers the user's list, also for a server of one's own", async () => {
    configure({ "openai:gpt-4o": { input: 1, output: 2 } });
    const connection = { ...NO_CONNECTION, baseUrls: ["http://127.0.0.1:1/v1"] };
    const expected = { currency: "EUR", inputPerMillion: 1, outputPerMillion: 2, asOf: "2026-11-01" };
    expect(await findPrice(model("openai:gpt-4o"), connection, here())).toEqual(expected);
  });

  it("says nothing where nothing is known", async () => {
    expect(await findPrice(model("openai:my-model"), NO_CONNECTION, here())).toBeNull();
    expect(await findPrice(model("scripted:oracle"), NO_CONNECTION, here())).toBeNull();
  });

  it("refuses a list that is not as expected", async () => {
    writeFileSync(folder.path("probe.config.json"), JSON.stringify({ prices: { currency: "EUR", models: {} } }));
    await expect(findPrice(model("scripted:oracle"), NO_CONNECTION, here())).rejects.toMatchObject({
      code: "bad_input",
    });
  });
});
