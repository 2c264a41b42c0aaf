import { z } from "zod";
import type { Embedding } from "../requests.js";

/** Of servers that do not say how they make one vector of a text's token states. */
const SERVER_POOLING = "as the server makes it";

const vector = z.array(z.number()).min(1);
const matrix = z.array(vector).min(1);
const listed = z.looseObject({ data: z.tuple([z.looseObject({ embedding: vector })]) });

/** The one vector of an `/embeddings` reply of OpenAI's API; `null` without. */
export function readListedVector(reply: unknown): Embedding | null {
  const { data } = listed.safeParse(reply);
  return data === undefined ? null : embedding(data.data[0].embedding, SERVER_POOLING);
}

/**
 * The vector of a feature extraction: as it is, or in a list of one (Text Embeddings Inference), as the endpoint makes
 * it; or a vector for each token, in a list of one or not, whose mean it is. `null` for anything else.
 */
export function readFeatures(reply: unknown): Embedding | null {
  const plain = vector.safeParse(reply).data;
  if (plain !== undefined) return embedding(plain, ENDPOINT_POOLING);
  const states = matrix.safeParse(reply).data ?? z.tuple([matrix]).safeParse(reply).data?.[0];
  const [first, ...others] = states ?? [];
  if (first === undefined || states === undefined) return null;
  if (others.length === 0) return embedding(first, ENDPOINT_POOLING);
  return others.every(({ length }) => length === first.length) ? embedding(mean(states, first.length), "mean") : null;
}

const ENDPOINT_POOLING = "as the endpoint makes it";

function mean(states: readonly (readonly number[])[], length: number): number[] {
  return Array.from({ length }, (_, i) => states.reduce((sum, state) => sum + (state[i] ?? 0), 0) / states.length);
}

/** A vector of zeros has no direction to compare. */
function embedding(values: readonly number[], pooling: string): Embedding | null {
  return values.some((value) => value !== 0) ? { vector: values, pooling } : null;
}
