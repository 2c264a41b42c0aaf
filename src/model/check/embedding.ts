import { cosine } from "../../stats/linear-algebra.js";
import type { EmbeddingWay } from "../extraction/way.js";
import type { Embedding } from "../requests.js";
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
  agree: (mine, theirs) => mine.every(({ vector }, i) => isAlike(vector, theirs[i]?.vector ?? [])),
};

function isAlike(mine: readonly number[], theirs: readonly number[]): boolean {
  return (
    mine.length === theirs.length && hasDirection(mine) && hasDirection(theirs) && cosine(mine, theirs) >= LEAST_COSINE
  );
}

function hasDirection(vector: readonly number[]): boolean {
  return vector.reduce((sum, value) => sum + value * value, 0) > 0;
}
