import { LANGUAGES, type Language } from "../base/language.js";

/** Counts of one row of a funnel; `other`: lines of which no language is known. */
export type LanguageCounts = Readonly<Partial<Record<Language | "other", number>>>;

/** Numbers of examples that went in, were left out for each reason, and came out; by language. */
export interface Funnel {
  readonly read: LanguageCounts;
  /** Reasons in the order in which they were first met. */
  readonly drops: readonly { readonly reason: string; readonly counts: LanguageCounts }[];
  readonly kept: LanguageCounts;
}

/** Counts what happens to examples. Each is counted once: kept, or dropped for its first reason. */
export class FunnelCounter {
  readonly #drops = new Map<string, Map<Language | "other", number>>();
  readonly #kept = new Map<Language | "other", number>();

  keep(language: Language): void {
    increment(this.#kept, language);
  }

  drop(language: Language | "other", reason: string): void {
    const counts = this.#drops.get(reason) ?? new Map<Language | "other", number>();
    increment(counts, language);
    this.#drops.set(reason, counts);
  }

  funnel(): Funnel {
    const read = new Map<Language | "other", number>();
    for (const counts of [this.#kept, ...this.#drops.values()]) {
      for (const [language, count] of counts) increment(read, language, count);
    }
    return {
      read: inOrder(read),
      drops: [...this.#drops].map(([reason, counts]) => ({ reason, counts: inOrder(counts) })),
      kept: inOrder(this.#kept),
    };
  }
}

/** Sum over the languages. */
export function totalOf(counts: LanguageCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function increment(counts: Map<Language | "other", number>, language: Language | "other", by = 1): void {
  counts.set(language, (counts.get(language) ?? 0) + by);
}

function inOrder(counts: ReadonlyMap<Language | "other", number>): LanguageCounts {
  const keys = [...LANGUAGES, "other"] as const;
  return Object.fromEntries(keys.flatMap((key) => (counts.has(key) ? [[key, counts.get(key)]] : [])));
}
