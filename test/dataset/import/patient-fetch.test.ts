import { describe, expect, it } from "vitest";
import { type Patience, patientFetch } from "../../../src/dataset/import/host-requests.js";
import { RefusedBody } from "../../../src/model/http/reply-body.js";

/** What sends the next of these each time: replies, or errors to throw. */
function start(given: readonly (Response | Error)[], patience: Partial<Patience> = {}) {
  const waits: [number, string][] = [];
  let sent = 0;
  const send = async () => {
    const next = given[sent++];
    if (next instanceof Response) return next;
    throw next;
  };
  const onWait = (seconds: number, found: string) => void waits.push([seconds, found]);
  const fixed = { signal: new AbortController().signal, tries: 3, longestWaitSeconds: 0.01, onWait };
  return { waits, ask: () => patientFetch({ ...fixed, ...patience }, send)("http://x"), sent: () => sent };
}

const reply = (status: number, headers: Record<string, string> = {}) => new Response("", { status, headers });

describe("patientFetch", () => {
  it("asks again after passing faults, and waits no longer than it may", async () => {
    const { ask, waits } = start([reply(429, { "retry-after": "3600" }), new Error("reset"), reply(200)]);
    expect((await ask()).status).toBe(200);
    expect(waits).toEqual([
      [0.01, "it answered 429"],
      [0.01, "the connection broke"],
    ]);
  });

  it("gives the last reply, or the last error, when its tries are used up", async () => {
    expect((await start([reply(503), reply(503), reply(502), reply(200)]).ask()).status).toBe(502);
    const [first, second, third] = ["one", "two", "three"].map((text) => new Error(text));
    await expect(start([first!, second!, third!]).ask()).rejects.toBe(third);
  });

  it("takes what the reply tells by other means only where Retry-After tells nothing", async () => {
    const limitOf = async () => ({ seconds: 0.002 });
    const { ask, waits } = start([reply(429), reply(429, { "retry-after": "0" }), reply(200)], { limitOf });
    await ask();
    expect(waits.map(([seconds]) => seconds)).toEqual([0.002, 0]);
  });

  it.each([
    ["no server there", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
    [
      "a body beyond the limits",
      new RefusedBody({ trouble: "fault", failure: "bad_response", status: 200, message: "" }),
    ],
  ])("asks once only for %s", async (_, error) => {
    const { ask, sent } = start([error, reply(200)]);
    await expect(ask()).rejects.toBe(error);
    expect(sent()).toBe(1);
  });
});
