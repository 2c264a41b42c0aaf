import { describe, expect, it } from "vitest";
import { PageCache } from "../../../src/cli/view/view-handler.js";
import { type Html, htmlPage, markup } from "../../../src/web/html-page.js";

const page = (title: string): Html => htmlPage({ title, generator: "test", style: "", script: "", body: markup`` });

/** Asks a cache for a page; whether it was made anew. */
function asker() {
  const cache = new PageCache();
  return async (name: string, stamp: string): Promise<boolean> => {
    let isMade = false;
    await cache.get(name, stamp, async () => {
      isMade = true;
      return page(name);
    });
    return isMade;
  };
}

describe("the cache of pages", () => {
  it("makes a page once for a stamp, and anew for another", async () => {
    const ask = asker();
    expect([await ask("a", "1"), await ask("a", "1"), await ask("a", "2"), await ask("a", "1")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("keeps the six that were asked for last", async () => {
    const ask = asker();
    for (const name of ["a", "b", "c", "d", "e", "f"]) await ask(name, "1");
    expect(await ask("a", "1")).toBe(false);
    // The seventh takes the place of b, which nobody asked for since.
    expect(await ask("g", "1")).toBe(true);
    expect([await ask("a", "1"), await ask("b", "1")]).toEqual([false, true]);
  });

  it("makes a page once for those who ask at the same time", async () => {
    const cache = new PageCache();
    let made = 0;
    const make = async () => page(`${++made}`);
    const [one, two] = await Promise.all([cache.get("a", "1", make), cache.get("a", "1", make)]);
    expect([made, one === two]).toEqual([1, true]);
  });

  it("keeps no failure", async () => {
    const cache = new PageCache();
    await expect(cache.get("a", "1", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.get("a", "1", async () => page("a"))).toContain("<title>a</title>");
  });
});
