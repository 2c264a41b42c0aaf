import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WaitReport } from "../../../src/model/http/endpoint.js";

/** Seconds after noon, where the clock of the tests begins. */
const clock = (seconds: number) => new Date(Date.now() + (seconds - elapsed()) * 1000).toTimeString().slice(0, 8);
const elapsed = () => performance.now() / 1000;

let told: string[];
let report: WaitReport;

beforeEach(() => {
  vi.useFakeTimers({
    now: new Date(2026, 0, 2, 12, 0, 0),
    toFake: ["setInterval", "clearInterval", "Date", "performance"],
  });
  told = [];
  const onMessage = (message: string) => void told.push(message);
  report = new WaitReport({ baseUrl: "http://user:key@server/v1", now: () => performance.now(), onMessage });
});

afterEach(() => {
  report.rest();
  vi.useRealTimers();
});

describe("a wait", () => {
  it("is told of after ten seconds, and every thirty from then on, until the server answers", () => {
    const start = performance.now();
    report.watch(() => ({ reason: "no reply yet", since: start, nextTry: null, until: start + 120_000 }));
    vi.advanceTimersByTime(9000);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(61_000);
    const line = `Waiting for http://server/v1 since ${clock(elapsed() - 70)}: no reply yet. Given up: ${clock(elapsed() + 50)}.`;
    // At 10 s, 40 s and 70 s.
    expect(told).toEqual([line, line, line]);
    report.answered(start);
    expect(told.at(-1)).toBe("http://server/v1 answers again, after 70 s.");
  });

  it("is told of at once where it is known to be long", () => {
    const now = performance.now();
    report.note({ reason: "HTTP 429: slow down", since: now, nextTry: now + 60_000, until: now + 300_000 });
    expect(told).toEqual([
      "Waiting for http://server/v1 since 12:00:00: HTTP 429: slow down. Next try: 12:01:00. Given up: 12:05:00.",
    ]);
  });

  it("is not told of when it is short, nor that it is over", () => {
    const now = performance.now();
    report.note({ reason: "HTTP 500: it broke", since: now, nextTry: now + 250, until: now + 300_000 });
    report.answered(now);
    expect(told).toEqual([]);
  });

  it("is watched no more when nothing is asked", () => {
    const start = performance.now();
    report.watch(() => ({ reason: "no reply yet", since: start, nextTry: null, until: start + 120_000 }));
    report.rest();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
  });
});
