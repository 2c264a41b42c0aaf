import { LANGUAGES, type Language } from "../../base/language.js";
import { type DrawInteger, hash32, seededIntegers, shuffled } from "../../base/random.js";

/** Draw of a sample from one language. */
export interface LanguageDraw {
  readonly language: Language;
  readonly available: number;
  readonly taken: number;
  /** Repositories in the order in which they were first met. */
  readonly repositories: readonly RepositoryDraw[];
}

/** Draw from one repository. */
interface RepositoryDraw {
  /** `null`: all examples that name none. */
  readonly repo: string | null;
  readonly available: number;
  readonly taken: number;
}

/** Examples that were drawn, and the numbers available. */
export interface StratifiedSample {
  /** File lines of the examples drawn. */
  readonly lines: ReadonlySet<number>;
  /** Languages that have examples, in the benchmark's order. */
  readonly languages: readonly LanguageDraw[];
}

interface Stratum {
  readonly repo: string | null;
  readonly lines: number[];
}

/**
 * Draws examples by language, and within a language by repository, so that no project dominates (paper §4, data
 * sampling). The repositories of a language are put in a random order; each round takes one random example from each
 * that has some left, until the language has enough: shares are equal, as far as a repository goes. Examples without a
 * repository form one stratum together, for nothing tells them apart. Holds one number an example.
 */
export class StratifiedSampler {
  readonly #languages = new Map<Language, Map<string | null, Stratum>>();

  /**
   * Tells of an example, by its line.
   * @param repo as the example gives it; absent and blank are the same
   */
  add(line: number, language: Language, repo: string | undefined): void {
    const name = repo === undefined || repo.trim() === "" ? null : repo.trim();
    const strata = this.#languages.get(language) ?? new Map<string | null, Stratum>();
    const stratum = strata.get(name) ?? { repo: name, lines: [] };
    stratum.lines.push(line);
    this.#languages.set(language, strata.set(name, stratum));
  }

  /**
   * The same lines, number and seed draw the same sample. Languages are drawn independently of each other.
   * @param perLanguage examples of each language; all where it has fewer
   */
  draw(perLanguage: number, seed: number): StratifiedSample {
    const drawn = new Set<number>();
    const languages = LANGUAGES.flatMap((language) => {
      const strata = [...(this.#languages.get(language)?.values() ?? [])];
      const random = seededIntegers(hash32(`${seed} ${language}`, 0));
      for (const line of inRounds(strata, perLanguage, random)) drawn.add(line);
      return strata.length === 0 ? [] : [summarise(language, strata, drawn)];
    });
    return { lines: drawn, languages };
  }
}

function inRounds(strata: readonly Stratum[], count: number, random: DrawInteger): number[] {
  let queues = shuffled(strata, random).map(({ lines }) => shuffled(lines, random));
  const offered: number[] = [];
  for (let round = 0; queues.length > 0 && offered.length < count; round++) {
    queues = queues.filter(({ length }) => length > round);
    for (const queue of queues) offered.push(queue[round] as number);
  }
  return offered.slice(0, count);
}

function summarise(language: Language, strata: readonly Stratum[], drawn: ReadonlySet<number>): LanguageDraw {
  const repositories = strata.map(({ repo, lines }) => ({
    repo,
    available: lines.length,
    taken: lines.filter((line) => drawn.has(line)).length,
  }));
  return {
    language,
    available: repositories.reduce((sum, { available }) => sum + available, 0),
    taken: repositories.reduce((sum, { taken }) => sum + taken, 0),
    repositories,
  };
}
