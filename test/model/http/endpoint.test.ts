import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Endpoint, MAX_SAME_ERRORS, type PatienceOptions } from "../../../src/model/http/endpoint.js";
import { errorOfContent } from "../../../src/model/http/request-error.js";
import { FakeClock } from "../../fixtures/fake-clock.js";
import { down, fault, permanent, tooManyRequests } from "../../fixtures/request-errors.js";

const { signal: NEVER } = new AbortController();
setMaxListeners(0, NEVER);

/** An endpoint with waits of full length: a `random` of 1 takes nothing off them. */
function open(options: Partial<PatienceOptions> = {}): { endpoint: Endpoint; clock: FakeClock } {
  const clock = new FakeClock();
  const { now, sleep } = clock;
  const common = { maxConcurrency: 8, patienceMs: 60_000, now, sleep, random: () => 1 };
  return { endpoint: new Endpoint("http://server/v1", { ...common, ...options }), clock };
}

/** A server that does these in turn, and the last of them from then on. */
function server(...turns: readonly (Error | string)[]): { attempt: () => Promise<string>; tries: () => number } {
  let tries = 0;
  return {
    attempt: () => {
      const turn = turns[Math.min(tries++, turns.length - 1)]!;
      return turn instanceof Error ? Promise.reject(turn) : Promise.resolve(turn);
    },
    tries: () => tries,
  };
}

function times(count: number, error: Error): Error[] {
  return Array.from({ length: count }, () => error);
}

describe("an error of the server", () => {
  it("is tried again at growing intervals, five times in all", async () => {
    const { endpoint, clock } = open();
    const { attempt, tries } = server(fault());
    await expect(clock.runUntil(endpoint.send(attempt, NEVER))).rejects.toMatchObject({
      trouble: "fault",
      message: "HTTP 500: it broke (5 tries)",
    });
    expect(tries()).toBe(5);
    expect(clock.slept).toEqual([250, 500, 1000, 2000]);
    expect(endpoint.isGivenUp).toBe(false);
  });

  it("is tried again after half the interval at least: the rest is drawn", async () => {
    const { endpoint, clock } = open({ random: () => 0 });
    await expect(clock.runUntil(endpoint.send(server(fault()).attempt, NEVER))).rejects.toThrow("it broke");
    expect(clock.slept).toEqual([125, 250, 500, 1000]);
  });

  it("is forgotten when a later try succeeds", async () => {
    const { endpoint, clock } = open();
    const { attempt, tries } = server(...times(4, fault()), "ok");
    expect(await clock.runUntil(endpoint.send(attempt, NEVER))).toBe("ok");
    expect(tries()).toBe(5);
  });

  it("is tried as often as asked for", async () => {
    const { endpoint, clock } = open({ maxTries: 2 });
    const { attempt, tries } = server(fault());
    await expect(clock.runUntil(endpoint.send(attempt, NEVER))).rejects.toThrow("(2 tries)");
    expect(tries()).toBe(2);
  });

  it("is tried five times even after a long wait for the server", async () => {
    const { endpoint, clock } = open();
    const { attempt, tries } = server(...times(8, down()), ...times(4, fault()), "ok");
    expect(await clock.runUntil(endpoint.send(attempt, NEVER))).toBe("ok");
    expect(tries()).toBe(13);
  });

  it("is tried once when it is permanent", async () => {
    const { endpoint, clock } = open();
    const { attempt, tries } = server(permanent());
    await expect(endpoint.send(attempt, NEVER)).rejects.toMatchObject({ message: "HTTP 400: no such parameter" });
    expect(tries()).toBe(1);
    expect(clock.slept).toEqual([]);
  });

  it("is thrown at once when it is not about the request", async () => {
    const { endpoint } = open();
    const bug = new TypeError("a bug");
    const { attempt, tries } = server(bug);
    await expect(endpoint.send(attempt, NEVER)).rejects.toBe(bug);
    expect(tries()).toBe(1);
    expect(endpoint.load).toBe(0);
  });
});

describe("Retry-After", () => {
  it.each([
    ["seconds", { "retry-after": "7" }, 7000],
    ["milliseconds", { "retry-after-ms": "1500" }, 1500],
    ["a date", { "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 5000],
    // 250 ms is waited anyway
    ["nothing worth waiting for", { "retry-after": "0" }, 250],
  ])("in %s is waited for", async (_, headers, expected) => {
    const { endpoint, clock } = open();
    const { attempt } = server(tooManyRequests(headers as Record<string, string>), "ok");
    expect(await clock.runUntil(endpoint.send(attempt, NEVER))).toBe("ok");
    expect(clock.now()).toBe(expected);
  });

  it("holds back the other requests to the server too", async () => {
    const { endpoint, clock } = open();
    const first = endpoint.send(server(tooManyRequests({ "retry-after": "7" }), "first").attempt, NEVER);
    await setImmediate();
    const { attempt, tries } = server("second");
    const second = endpoint.send(attempt, NEVER);
    await clock.advance(6999);
    expect(tries()).toBe(0);
    await clock.advance(1);
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  });
});

describe("a server that is down", () => {
  it("is waited for at intervals of 10 s at most, as long as its patience lasts, and then given up", async () => {
    const { endpoint, clock } = open({ patienceMs: 60_000 });
    const { attempt, tries } = server(down());
    // after 0.25 + 0.5 + 1 + 2 + 4 + 8 = 15.75 s, then every 10 s: 65.75 s is the first try past 60 s
    await expect(clock.runUntil(endpoint.send(attempt, NEVER))).rejects.toMatchObject({
      trouble: "down",
      failure: "unavailable",
      message: "no answer for 66 s; last: no reply: connect ECONNREFUSED",
    });
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000, 8000, ...Array(5).fill(10_000)]);
    expect(tries()).toBe(12);
    expect(endpoint.isGivenUp).toBe(true);
  });

  it("is said to be given up no earlier than by the try that comes next", async () => {
    const told: string[] = [];
    const { endpoint, clock } = open({ patienceMs: 8000, onMessage: (message) => void told.push(message) });
    await expect(clock.runUntil(endpoint.send(server(down()).attempt, NEVER))).rejects.toThrow("no answer for 16 s");
    // Waits of 0.25, 0.5, 1, 2, 4 and 8 s: the try after the last is the first behind eight seconds.
    expect(told).toEqual([expect.stringMatching(/Next try: (\d\d:\d\d:\d\d)\. Given up: \1\.$/)]);
  });

  it("is asked nothing more once it is given up", async () => {
    const { endpoint, clock } = open({ patienceMs: 0 });
    await expect(endpoint.send(server(down()).attempt, NEVER)).rejects.toThrow("no answer for 0 s");
    const { attempt, tries } = server("ok");
    await expect(clock.runUntil(endpoint.send(attempt, NEVER))).rejects.toThrow("no answer for 0 s");
    expect(tries()).toBe(0);
  });

  it("is given up for all who wait for it", async () => {
    const { endpoint, clock } = open();
    const requests = Array.from({ length: 20 }, () => endpoint.send(server(down()).attempt, NEVER));
    const results = await clock.runUntil(Promise.allSettled(requests));
    expect(results.map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
    expect(endpoint.load).toBe(0);
  });

  it("is waited for anew when it has answered in between", async () => {
    const { endpoint, clock } = open({ patienceMs: 60_000 });
    // seven tries take 0.25 + 0.5 + 1 + 2 + 4 + 8 + 10 = 25.75 s; three times that is more than 60 s
    for (let i = 0; i < 3; i++) {
      const { attempt } = server(...times(7, down()), "ok");
      expect(await clock.runUntil(endpoint.send(attempt, NEVER))).toBe("ok");
    }
    expect(clock.now()).toBe(3 * 25_750);
  });

  it.each([permanent(), fault()])("is waited for anew when it has answered with $message", async (answer) => {
    const { endpoint, clock } = open({ patienceMs: 1000 });
    const controller = new AbortController();
    const left = endpoint.send(server(down()).attempt, controller.signal);
    await setImmediate();
    controller.abort(new Error("stop"));
    await expect(left).rejects.toThrow("stop");
    await expect(clock.runUntil(endpoint.send(server(answer).attempt, NEVER))).rejects.toThrow(answer.message);
    await clock.advance(5000);
    // Down for the first time since that answer, not for 5 s.
    expect(await clock.runUntil(endpoint.send(server(down(), "ok").attempt, NEVER))).toBe("ok");
  });

  it("is waited for as long as was said last", async () => {
    const { endpoint } = open();
    endpoint.setPatience(0);
    await expect(endpoint.send(server(down()).attempt, NEVER)).rejects.toThrow("no answer");
  });

  it("is sent fewer requests at once", async () => {
    const { endpoint, clock } = open();
    let active = 0;
    const atOnce: number[] = [];
    const attempt = async () => {
      atOnce.push(++active);
      await clock.sleep(10, NEVER);
      active--;
      if (atOnce.length <= 4) throw down();
      return "ok";
    };
    await clock.runUntil(Promise.all(Array.from({ length: 4 }, () => endpoint.send(attempt, NEVER))));
    // four at first, all refused: then 4 / 2
    expect(Math.max(...atOnce.slice(0, 4))).toBe(4);
    expect(Math.max(...atOnce.slice(4))).toBe(2);
  });
});

describe("the same error again and again", () => {
  /** One request after another, each tried five times in vain. */
  async function fail(open: { endpoint: Endpoint; clock: FakeClock }, count: number, body = "it broke"): Promise<void> {
    for (let i = 0; i < count; i++) {
      const sent = open.endpoint.send(server(fault(body)).attempt, NEVER);
      await expect(open.clock.runUntil(sent)).rejects.toThrow(body);
    }
  }

  it("makes the server given up", async () => {
    const opened = open();
    expect(MAX_SAME_ERRORS).toBe(20);
    // 3 * 5 errors; the fourth request brings the twentieth
    await fail(opened, 3);
    expect(opened.endpoint.isGivenUp).toBe(false);
    const last = opened.endpoint.send(server(fault()).attempt, NEVER);
    await expect(opened.clock.runUntil(last)).rejects.toMatchObject({
      status: 500,
      message: "the same error 20 times in a row: HTTP 500: it broke",
    });
    expect(opened.endpoint.isGivenUp).toBe(true);
  });

  it("makes the server unavailable, whatever it answered", async () => {
    const opened = open();
    const broken = errorOfContent("not JSON", "<html>log in</html>");
    expect(broken.failure).toBe("bad_response");
    // 4 * 5 errors, and one request that is not sent any more
    for (const failure of ["bad_response", "bad_response", "bad_response", "unavailable", "unavailable"]) {
      const sent = opened.endpoint.send(server(broken).attempt, NEVER);
      await expect(opened.clock.runUntil(sent)).rejects.toMatchObject({ failure });
    }
  });

  it("counts from the last success", async () => {
    const opened = open();
    for (let i = 0; i < 3; i++) {
      await fail(opened, 3);
      expect(await opened.endpoint.send(server("ok").attempt, NEVER)).toBe("ok");
    }
    expect(opened.endpoint.isGivenUp).toBe(false);
  });

  it("counts only errors that are alike", async () => {
    const opened = open();
    for (let i = 0; i < 6; i++) await fail(opened, 2, `error ${i}`);
    expect(opened.endpoint.isGivenUp).toBe(false);
  });

  it("does not count errors that are the request's own", async () => {
    const { endpoint } = open();
    for (let i = 0; i < 30; i++)
      await expect(endpoint.send(server(permanent()).attempt, NEVER)).rejects.toThrow("no such parameter");
    expect(endpoint.isGivenUp).toBe(false);
  });
});

describe("an abort", () => {
  it("ends the wait for another try", async () => {
    const { endpoint } = open();
    const controller = new AbortController();
    const { attempt, tries } = server(down());
    const sent = endpoint.send(attempt, controller.signal);
    await setImmediate();
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
    expect(tries()).toBe(1);
    expect(endpoint.load).toBe(0);
  });

  it("lets what is under way come to its end", async () => {
    const { endpoint } = open();
    const controller = new AbortController();
    const sent = endpoint.send(async (inner) => {
      controller.abort(new Error("stop"));
      await setImmediate();
      return inner.aborted;
    }, controller.signal);
    expect(await sent).toBe(false);
  });
});

describe("load", () => {
  it("counts requests under way, those that wait for a place, and those that wait for another try", async () => {
    const { endpoint, clock } = open({ maxConcurrency: 1 });
    const again = endpoint.send(server(down(), "again").attempt, NEVER);
    await setImmediate();
    expect(endpoint.load).toBe(1);
    let answer: (text: string) => void = () => {};
    const underWay = endpoint.send(() => new Promise<string>((resolve) => (answer = resolve)), NEVER);
    const waiting = endpoint.send(server("waited").attempt, NEVER);
    await setImmediate();
    expect(endpoint.load).toBe(3);
    answer("answered");
    expect(await clock.runUntil(Promise.all([again, underWay, waiting]))).toEqual(["again", "answered", "waited"]);
    expect(endpoint.load).toBe(0);
  });
});
