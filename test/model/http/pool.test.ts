import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EndpointPool } from "../../../src/model/http/pool.js";
import { FakeClock } from "../../fixtures/fake-clock.js";
import { down, fault, permanent } from "../../fixtures/request-errors.js";

const { signal: NEVER } = new AbortController();
const PATIENCE_MS = 1000;

function open(...baseUrls: string[]): { pool: EndpointPool; clock: FakeClock } {
  const clock = new FakeClock();
  const { now, sleep } = clock;
  const options = { maxConcurrency: 2, patienceMs: PATIENCE_MS, now, sleep, random: () => 1 };
  return { pool: new EndpointPool(baseUrls, options), clock };
}

const answerWithName = (baseUrl: string) => Promise.resolve(baseUrl);

describe("pick", () => {
  it("is the least loaded server, the first of equals", async () => {
    const { pool } = open("a", "b", "c");
    const [a, b, c] = pool.endpoints;
    expect(pool.pick()).toBe(a);
    const controller = new AbortController();
    const unanswered = () => new Promise<never>(() => {});
    a?.send(unanswered, controller.signal).catch(() => {});
    expect(pool.pick()).toBe(b);
    b?.send(unanswered, controller.signal).catch(() => {});
    expect(pool.pick()).toBe(c);
    for (let i = 0; i < 5; i++) c?.send(unanswered, controller.signal).catch(() => {});
    expect(pool.pick()).toBe(a);
  });

  it("counts what waits for a server that is down as load", async () => {
    const { pool } = open("a", "b");
    const controller = new AbortController();
    pool.endpoints[0]?.send(() => Promise.reject(down()), controller.signal).catch(() => {});
    await setImmediate();
    expect(pool.pick()).toBe(pool.endpoints[1]);
    controller.abort();
  });

  it("leaves out servers that are given up, and is the first where all are", async () => {
    const { pool, clock } = open("a", "b");
    const [a, b] = pool.endpoints;
    a?.setPatience(0);
    await expect(a?.send(() => Promise.reject(down()), NEVER)).rejects.toThrow("no answer");
    expect(pool.pick()).toBe(b);
    b?.setPatience(0);
    await expect(b?.send(() => Promise.reject(down()), NEVER)).rejects.toThrow("no answer");
    expect(pool.pick()).toBe(a);
    expect(clock.slept).toEqual([]);
  });

  it("expects at least one server", () => {
    expect(() => open().pool.pick()).toThrow("Expected at least one server.");
  });
});

describe("send", () => {
  it("stays with the preferred server, however loaded", async () => {
    const { pool } = open("a", "b");
    const [a] = pool.endpoints;
    const { signal } = new AbortController();
    a?.send(() => new Promise<never>(() => {}), signal).catch(() => {});
    expect(await pool.send(a!, answerWithName, NEVER)).toBe("a");
  });

  it("goes to another server when the preferred one is given up, and at once from then on", async () => {
    const { pool, clock } = open("a", "b");
    const [a] = pool.endpoints;
    const asked: string[] = [];
    const attempt = (baseUrl: string) => {
      asked.push(baseUrl);
      return baseUrl === "a" ? Promise.reject(down()) : answerWithName(baseUrl);
    };
    expect(await clock.runUntil(pool.send(a!, attempt, NEVER))).toBe("b");
    // waits of 250, 500 and 1000 ms: 750 ms is within the patience of 1000 ms, 1750 ms is not
    expect(asked).toEqual(["a", "a", "a", "a", "b"]);
    expect(await pool.send(a!, attempt, NEVER)).toBe("b");
    expect(asked.slice(5)).toEqual(["b"]);
  });

  it("goes through all servers, and rejects when none is left", async () => {
    const { pool, clock } = open("a", "b", "c");
    const asked = new Set<string>();
    const attempt = (baseUrl: string) => {
      asked.add(baseUrl);
      return Promise.reject(down());
    };
    await expect(clock.runUntil(pool.send(pool.endpoints[1]!, attempt, NEVER))).rejects.toThrow("no answer");
    expect([...asked].sort()).toEqual(["a", "b", "c"]);
  });

  it("does not take a request's own failure elsewhere", async () => {
    const { pool, clock } = open("a", "b");
    const asked = new Set<string>();
    for (const error of [permanent(), fault()]) {
      const attempt = (baseUrl: string) => {
        asked.add(baseUrl);
        return Promise.reject(error);
      };
      await expect(clock.runUntil(pool.send(pool.pick(), attempt, NEVER))).rejects.toThrow(error.message);
    }
    expect([...asked]).toEqual(["a"]);
  });

  it("ends at an abort, without another server", async () => {
    const { pool } = open("a", "b");
    const controller = new AbortController();
    const asked: string[] = [];
    const attempt = (baseUrl: string) => {
      asked.push(baseUrl);
      return Promise.reject(down());
    };
    const sent = pool.send(pool.endpoints[0]!, attempt, controller.signal);
    await setImmediate();
    controller.abort(new Error("stop"));
    await expect(sent).rejects.toThrow("stop");
    expect(asked).toEqual(["a"]);
  });
});
