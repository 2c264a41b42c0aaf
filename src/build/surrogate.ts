import { ProbeError } from "../domain/errors.js";
import type { FailedReply, Model } from "../model/model.js";

/** What a surrogate model must be able to do: score, infill, embed (paper §3.4). */
export type Surrogate = Required<Pick<Model, "scoreTokens" | "infill" | "embed">>;

/** The sampling of the paper's infills (§3.4, footnote 2). */
export const INFILL_TEMPERATURE = 3.5;
/**
 * Tokens that are drawn from. At temperature 3.5 the tail of a vocabulary of 30,000 outweighs everything that could stand in
 * the gap; the paper does not tell its limit; 50 is the default of the library it used.
 */
export const INFILL_TOP_K = 50;

/**
 * The model as a surrogate.
 * @throws ProbeError `model_unavailable` naming what it cannot do
 */
export function asSurrogate(model: Model, label: string): Surrogate {
  const { scoreTokens, infill, embed } = model;
  if (scoreTokens !== undefined && infill !== undefined && embed !== undefined) {
    return {
      scoreTokens: scoreTokens.bind(model),
      infill: infill.bind(model),
      embed: embed.bind(model),
    };
  }
  const missing = Object.entries({ "score texts": scoreTokens, "fill gaps": infill, "embed texts": embed })
    .filter(([, method]) => method === undefined)
    .map(([name]) => name);
  throw new ProbeError(
    "model_unavailable",
    `Expected a surrogate that can score, infill and embed, found ${label}, which cannot ${missing.join(", ")}. ` +
      "Use --surrogate tiny, or a GGUF file with fill-in-the-middle tokens.",
  );
}

/** Why a surrogate's failure leaves one question out; a fault of the surrogate itself ends the build. */
export function reasonOf({ failure, detail }: FailedReply): string {
  if (failure === "context_overflow") return "too long for the surrogate";
  throw new ProbeError(
    "model_unavailable",
    `Expected the surrogate to answer, found ${failure}: ${detail}. What is built is kept: the same command goes on.`,
  );
}
