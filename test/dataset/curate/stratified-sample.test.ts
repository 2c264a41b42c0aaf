import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { StratifiedSampler } from "../../../src/dataset/curate/stratified-sample.js";

type Repositories = Readonly<Record<string, number>>;

/** Examples of a language, repository after repository, on the lines from `first` on; "" is no repository. */
function samplerOf(content: Partial<Record<Language, Repositories>>, first = 1): StratifiedSampler {
  const sampler = new StratifiedSampler();
  let line = first;
  for (const [language, repositories] of Object.entries(content)) {
    for (const [repo, count] of Object.entries(repositories)) {
      for (let i = 0; i < count; i++) sampler.add(line++, language as Language, repo === "" ? undefined : repo);
    }
  }
  return sampler;
}

/** How many were taken, by language and repository. */
function takenOf(sampler: StratifiedSampler, perLanguage: number, seed = 1) {
  const { languages } = sampler.draw(perLanguage, seed);
  return Object.fromEntries(
    languages.map(({ language, repositories }) => [
      language,
      Object.fromEntries(repositories.map(({ repo, taken }) => [repo ?? "", taken])),
    ]),
  );
}

describe("StratifiedSampler", () => {
  it("takes equally from every repository, whatever its size", () => {
    const sampler = samplerOf({ python: { "a/big": 1000, "b/mid": 20, "c/mid": 20 } });
    expect(takenOf(sampler, 12)).toEqual({ python: { "a/big": 4, "b/mid": 4, "c/mid": 4 } });
  });

  it("goes on with the others where a repository has no more", () => {
    // Rounds: 3, 3, then two repositories are left: 2 + 2 = 10 in all.
    const sampler = samplerOf({ go: { "a/a": 50, "b/b": 2, "c/c": 50 } });
    expect(takenOf(sampler, 10)).toEqual({ go: { "a/a": 4, "b/b": 2, "c/c": 4 } });
  });

  it("draws the repositories of a last, partial round at random", () => {
    const sampler = samplerOf({ go: { "a/a": 5, "b/b": 5, "c/c": 5 } });
    const winners = Array.from({ length: 60 }, (_, seed) => JSON.stringify(takenOf(sampler, 1, seed)));
    expect(new Set(winners).size).toBe(3);
  });

  it("takes all of a language that has fewer, and says how many", () => {
    const { languages, lines } = samplerOf({ ruby: { "a/a": 3 }, c: { "b/b": 9 } }).draw(5, 0);
    expect(languages.map(({ language, available, taken }) => [language, available, taken])).toEqual([
      ["c", 9, 5],
      ["ruby", 3, 3],
    ]);
    expect(lines.size).toBe(8);
  });

  it("counts examples without a repository as one", () => {
    // Two strata: the nameless and a/a; 2 + 2.
    const sampler = samplerOf({ java: { "": 100, "a/a": 2 } });
    sampler.add(500, "java", "  ");
    const { languages } = sampler.draw(4, 3);
    expect(languages[0]?.repositories).toEqual([
      { repo: null, available: 101, taken: 2 },
      { repo: "a/a", available: 2, taken: 2 },
    ]);
  });

  it("draws the same for the same seed, and something else for another", () => {
    const draw = (seed: number) => [...samplerOf({ php: { "a/a": 50, "b/b": 50 } }).draw(10, seed).lines].join();
    expect(draw(1)).toBe(draw(1));
    expect(new Set(Array.from({ length: 30 }, (_, seed) => draw(seed))).size).toBe(30);
  });

  it("draws a language as if the others were not there", () => {
    const alone = samplerOf({ php: { "a/a": 50 } }).draw(5, 7).lines;
    const together = samplerOf({ php: { "a/a": 50 }, c: { "a/a": 50 } }).draw(5, 7).lines;
    expect([...together].filter((line) => line <= 50)).toEqual([...alone]);
  });

  it("gives every example of a repository the same chance", () => {
    // 2 of 5, 2,000 seeds: 800 each, standard deviation sqrt(2000 · 0.4 · 0.6) = 22; five of them are 110.
    const sampler = samplerOf({ c: { "a/a": 5 } });
    const counts = [0, 0, 0, 0, 0];
    for (let seed = 0; seed < 2000; seed++) for (const line of sampler.draw(2, seed).lines) counts[line - 1]! += 1;
    for (const count of counts) expect(Math.abs(count - 800)).toBeLessThan(110);
  });

  it("keeps to its rules for any sizes", () => {
    const sizes = fc.dictionary(fc.constantFrom("a", "b", "c", "d", ""), fc.integer({ min: 1, max: 20 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 60 }), fc.nat(), (repositories, perLanguage, seed) => {
        const { lines, languages } = samplerOf({ cpp: repositories }).draw(perLanguage, seed);
        const [{ available, taken, repositories: draws }] = languages as [(typeof languages)[0]];
        expect(taken).toBe(Math.min(perLanguage, available));
        expect(lines.size).toBe(taken);
        // Whoever has some left has at most one fewer than the most.
        const most = Math.max(...draws.map((draw) => draw.taken));
        for (const draw of draws) if (draw.taken < draw.available) expect(draw.taken).toBeGreaterThanOrEqual(most - 1);
      }),
      { seed: 1 },
    );
  });
});
