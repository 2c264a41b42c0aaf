import { describe, expect, it } from "vitest";
import { checkNotes } from "../../src/model/check/check-report.js";
import type { Vendor } from "../../src/model/vendor/vendors.js";
import { openStub } from "../fixtures/open-stub.js";
import { ok, type StubHandler, type StubReply } from "../fixtures/stub-server.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { REQUEST } from "./contract/completion.js";
import { repliesTo, requestFor } from "./contract.js";

type Fields = Readonly<Record<string, unknown>>;

interface Style {
  readonly provider: Vendor["name"];
  /** Parameters by which its service switches thoughts off, as its documentation has them. */
  readonly off: Fields;
}

const STYLES: readonly Style[] = [
  { provider: "openai", off: { reasoning_effort: "none" } },
  { provider: "google", off: { reasoning_effort: "none" } },
  { provider: "fireworks", off: { reasoning_effort: "none" } },
  { provider: "openrouter", off: { reasoning: { effort: "none" } } },
  { provider: "deepseek", off: { thinking: { type: "disabled" } } },
  { provider: "together", off: { reasoning: { enabled: false } } },
  { provider: "sglang", off: { chat_template_kwargs: { enable_thinking: false } } },
];

/** A service of chat alone that reports no log probabilities, and writes an A. */
function service(refuse: (body: Fields) => StubReply | null): StubHandler {
  return ({ path, body }) => {
    if (!path.endsWith("/chat/completions")) return null;
    const refusal = refuse(body);
    if (refusal !== null) return refusal;
    const message = { role: "assistant", content: "A" };
    return ok({ choices: [{ index: 0, message, finish_reason: "stop" }] });
  };
}

function refusal(message: string, more: Fields = {}): StubReply {
  return { status: 400, body: { error: { message, ...more } } };
}

const isOff = (off: Fields) => (body: Fields) => Object.keys(off).some((name) => body[name] !== undefined);

/** Opens it for letters and revisions by chat, as runs do, and asks one of each. */
async function asked(handler: StubHandler, provider: string, options: { think?: "off"; offByDefault?: true }) {
  const { model, servers } = await openStub(handler, {
    provider,
    promptMode: "chat",
    needs: ["symbols", "completions"],
    connection: { allowGenerated: true },
    ...options,
  });
  const checked = servers[0]!.requests.length;
  const replies = await repliesTo(model, [requestFor("Question?\nAnswer:\n", 0)]);
  const written = await model.complete!(REQUEST, new AbortController().signal);
  expect([replies[0]?.status, written.status]).toEqual(["named", "completed"]);
  const bodies = servers[0]!.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(servers[0]!.requests.length).toBe(checked + 2);
  return { model, bodies };
}

describe.each(STYLES)("without --think, thoughts at $provider", ({ provider, off }) => {
  const has = isOff(off);

  it("are off where it takes that, in every request", async () => {
    const { model, bodies } = await asked(
      service(() => null),
      provider,
      { offByDefault: true },
    );
    for (const body of bodies) expect(body).toMatchObject(off);
    expect(model.identity["thoughts"]).toBe("off");
    expect(model.check).toMatchObject({ thoughts: "off", request: { body: off } });
    expect(checkNotes(model, { writes: true })).toContain("Model check (generated letter): thoughts off.");
  });

  it("are as the model's where it refuses that by name, told once", async () => {
    const [name] = Object.keys(off);
    const refuse = (body: Fields) =>
      has(body) ? refusal(`Unrecognized request argument supplied: ${name}`, { param: name }) : null;
    const { model, bodies } = await asked(service(refuse), provider, { offByDefault: true });
    const before = await asked(service(refuse), provider, {});
    // The one that was refused, and from then on what was asked before there was a default.
    expect(bodies[0]).toMatchObject(off);
    expect(bodies.slice(1)).toEqual(before.bodies);
    // So a run that began before goes on.
    expect(model.identity).toEqual(before.model.identity);
    expect(model.check?.thoughts).toBe("as the model does");
    expect(before.model.check).not.toHaveProperty("thoughts");
  });

  it.each([400, 422])("are as the model's where it refuses the value by HTTP %s alone", async (status) => {
    const refuse = (body: Fields) =>
      has(body) ? { ...refusal("Budget 0 is invalid. This model only works in thought mode."), status } : null;
    const { model, bodies } = await asked(service(refuse), provider, { offByDefault: true });
    expect(bodies.map(has).indexOf(false)).toBe(1);
    expect(bodies.filter(has)).toHaveLength(1);
    expect([model.check?.thoughts, model.identity["left_out"]]).toEqual(["as the model does", undefined]);
  });

  it("are nowhere spoken of in a run that began before there was a default", async () => {
    const { model, bodies } = await asked(
      service(() => null),
      provider,
      {},
    );
    expect([bodies.some(has), model.identity["thoughts"]]).toEqual([false, undefined]);
  });

  it("stay what they were with --think off: what is refused by name is part of the identity", async () => {
    const [name = ""] = Object.keys(off);
    const refuse = (body: Fields) => (has(body) ? refusal(`'${name}' is not supported.`) : null);
    const { model } = await asked(service(refuse), provider, { think: "off", offByDefault: true });
    expect(model.identity).toMatchObject({ left_out: name });
    expect(model.check).not.toHaveProperty("thoughts");
  });
});

it("are as the model's where it falls over them, too", async () => {
  const refuse = (body: Fields) => (body["reasoning"] ? { status: 500, body: "Internal Server Error" } : null);
  const { model, bodies } = await asked(service(refuse), "openrouter", { offByDefault: true });
  expect([model.check?.thoughts, bodies.slice(-2).some(({ reasoning }) => reasoning)]).toEqual([
    "as the model does",
    false,
  ]);
});

it("are as the model's at all servers where one of them refuses that", async () => {
  const has = isOff({ reasoning_effort: "none" });
  const refuse = (body: Fields) => (has(body) ? refusal("'reasoning_effort' is not supported.") : null);
  const { model, servers } = await openStub([service(() => null), service(refuse)], {
    promptMode: "chat",
    connection: { allowGenerated: true },
    offByDefault: true,
  });
  const checked = servers.map(({ requests }) => requests.length);
  const replies = await repliesTo(
    model,
    [0, 1, 2, 3].map((i) => requestFor(`Question ${i}?`, i)),
  );
  expect(replies.map(({ status }) => status)).toEqual(["named", "named", "named", "named"]);
  const bodies = servers.flatMap(({ requests }, i) => requests.slice(checked[i])).map(({ body }) => body);
  expect([bodies.length, bodies.some(has), model.check?.thoughts]).toEqual([4, false, "as the model does"]);
  // One row a way.
  expect(new Set(model.check?.ways.map(({ way }) => way)).size).toBe(model.check?.ways.length);
});

it("a refusal of something else costs thoughts no word: the next way is asked with them off", async () => {
  const refuse = (body: Fields) => (body["logprobs"] ? refusal("This model does not support `logprobs`.") : null);
  const { model, bodies } = await asked(service(refuse), "openrouter", { offByDefault: true });
  for (const body of bodies) expect(body).toMatchObject({ reasoning: { effort: "none" } });
  expect(model.check?.thoughts).toBe("off");
});

it("nor does one that names nothing, where it comes without a word of thoughts too", async () => {
  const refuse = (body: Fields) => (body["logprobs"] ? refusal("Bad request") : null);
  const { model, bodies } = await asked(service(refuse), "openrouter", { offByDefault: true });
  // Two lists, each refused with and without.
  expect(bodies.filter(({ logprobs }) => logprobs).map(({ reasoning }) => reasoning !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  for (const body of bodies.slice(-2)) expect(body).toMatchObject({ reasoning: { effort: "none" } });
  expect([model.check?.thoughts, model.identity["thoughts"]]).toEqual(["off", "off"]);
});

it("vLLM's chats have them off in the template, of raw text nothing is said", async () => {
  const kwargs = { chat_template_kwargs: { enable_thinking: false } };
  for (const promptMode of ["chat", "completion"] as const) {
    const { model, servers } = await openStub(vllm(), { provider: "vllm", promptMode, offByDefault: true });
    const bodies = servers[0]!.requests.filter(({ path }) => path.endsWith("/completions")).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      if (promptMode === "chat") expect(body).toMatchObject(kwargs);
      else expect(body).not.toHaveProperty("chat_template_kwargs");
    }
    expect(model.identity["thoughts"]).toBe(promptMode === "chat" ? "off" : undefined);
  }
});
