import { describe, expect, it, onTestFinished, vi } from "vitest";
import { VARIABLE_NAME } from "../../../src/base/text.js";
import { openModel } from "../../../src/model/open-model.js";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { VENDORS, type Vendor } from "../../../src/model/vendor/vendors.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { type StubServer, startStub } from "../../fixtures/stub-server.js";
import { openai } from "../../fixtures/stub-servers/openai.js";

const KEY = "acme-0123456789abcdef";
const NEVER = new AbortController().signal;

describe("every vendor", () => {
  it.each(VENDORS)("$name is named as models are, and has a service and a variable for its key", (vendor) => {
    expect(resolveModel(`${vendor.name}:m`, new Map())).toMatchObject({ provider: vendor.name, name: "m" });
    expect(vendor.name).toMatch(/^[a-z]+$/);
    // A key never goes to a server on this machine by itself, and elsewhere never in the open.
    const { protocol, hostname } = new URL(vendor.baseUrl);
    if (vendor.keyVariable === null) expect([protocol, hostname]).toEqual(["http:", "127.0.0.1"]);
    else expect([protocol, VARIABLE_NAME.test(vendor.keyVariable)]).toEqual(["https:", true]);
    expect(new URL(vendor.source.url).protocol).toBe("https:");
  });

  it("has a name of its own", () => {
    expect(new Set(VENDORS.map(({ name }) => name)).size).toBe(VENDORS.length);
  });
});

/** A vendor that there is not: one entry more in the table, until the test ends. */
async function addVendor(more: Partial<Vendor> = {}): Promise<StubServer> {
  const server = await startStub(openai());
  const table = VENDORS as Vendor[];
  const vendor = { name: "acme", service: "Acme", baseUrl: `${server.url}/v1`, keyVariable: "ACME_API_KEY" };
  const documented = { logprobs: "some", source: { url: "https://acme.example", read: "2026-11" } } as const;
  table.push({ ...vendor, ...documented, dialect: "openai", ...more });
  vi.stubEnv("ACME_API_KEY", KEY);
  onTestFinished(async () => {
    table.pop();
    vi.unstubAllEnvs();
    await server.stop();
  });
  return server;
}

describe("a further vendor that speaks OpenAI's dialect is one entry", () => {
  it("whose models are found by its name, asked at its base URL, and sent its key", async () => {
    const server = await addVendor();
    const messages: string[] = [];
    const model = await openModel(resolveModel("acme:small", new Map()), {
      ...OPEN_OPTIONS,
      needs: ["completions"],
      onMessage: (message) => messages.push(message),
    });
    const request = { prompt: "a", maxTokens: 3, stop: [], temperature: 0, topK: null, seed: 0 };
    expect(await model.complete!(request, NEVER)).toMatchObject({ status: "completed" });
    await model.close();
    expect(model.identity).toMatchObject({ provider: "acme", name: "small", completions: "completions" });
    expect(messages).toEqual([`acme:small: ${server.url}/v1, key $ACME_API_KEY.`]);
    const { path, headers, body } = server.requests.at(-1)!;
    expect([path, headers.authorization, body["model"]]).toEqual(["/v1/completions", `Bearer ${KEY}`, "small"]);
  });

  it("whose key no other server gets", async () => {
    await addVendor();
    const other = await startStub(openai());
    onTestFinished(() => other.stop());
    const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${other.url}/v1`] };
    const options = { ...OPEN_OPTIONS, needs: ["embeddings"] as const, connection };
    await (await openModel(resolveModel("acme:small", new Map()), options)).close();
    expect(other.requests.length).toBeGreaterThan(0);
    for (const { headers } of other.requests) expect(headers).not.toHaveProperty("authorization");
  });

  it("which may lack what others have, and is not asked for it", async () => {
    const server = await addVendor({ lacks: ["embeddings"] });
    const open = openModel(resolveModel("acme:small", new Map()), { ...OPEN_OPTIONS, needs: ["embeddings"] });
    await expect(open).rejects.toThrow(/Expected acme:small to make vectors of texts.*its API has no such request/s);
    expect(server.requests.filter(({ path }) => path === "/v1/embeddings")).toEqual([]);
  });

  it("which may take chat alone", async () => {
    const server = await addVendor({ rawTextNeeds: "another vendor" });
    const open = openModel(resolveModel("acme:small", new Map()), OPEN_OPTIONS);
    await expect(open).rejects.toThrow("Expected --prompt-mode chat for Acme, found completion");
    expect(server.requests).toEqual([]);
  });

  it("which is listed where a name means nothing", async () => {
    await addVendor();
    expect(() => resolveModel("nonsense", new Map())).toThrow("llamacpp, acme, scripted");
    expect(() => resolveModel("acne:small", new Map())).toThrow("Did you mean --model acme:small?");
  });
});
