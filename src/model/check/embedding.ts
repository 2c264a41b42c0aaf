import type { EmbeddingWay } from "../extraction/way.js";
import type { Embedding } from "../model.js";
import { embeddingQuestion } from "../server/server-embeddings.js";
import type { Ability } from "./trial.js";

const TEXTS = ["return a + b", "The capital of France is Paris."] as const;
/** Of the vectors that two servers of one model make of one text. */
const LEAST_COSINE = 0.99;

/** Whether a server makes vectors that depend on the text. */
export const EMBEDDING: Ability<EmbeddingWay, readonly Embedding[]> = {
  extraction: "embedding",
  probe: async (way, ask) => {
    const made: Embedding[] = [];
    for (const text of TEXTS) {
      const embedding = await ask({ ...embeddingQuestion(way, text), read: ({ json }) => way.read(json) });
      if (embedding === null) return { status: "refused", reason: "answered without one vector for the text" };
      made.push(embedding);
    }
    const [first, second] = made.map(({ vector }) => vector);
    if (first?.length !== second?.length)
      return { status: "refused", reason: `made vectors of ${first?.length} and of ${second?.length} numbers` };
    if (JSON.stringify(first) === JSON.stringify(second))
      return { status: "refused", reason: "made the same vector of different texts" };
    return { status: "works", notes: [`${first?.length} numbers`], evidence: made };
  },
  agree: (mine, theirs) => mine.every(({ vector }, i) => cosine(vector, theirs[i]?.vector ?? []) >= LEAST_COSINE),
};

function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return 0;
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
