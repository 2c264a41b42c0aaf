import type { CompletionReply } from "../../../model/requests.js";
import type { Generation, GenerationPlace } from "./generation.js";

/** Everything the run records about one completion. */
export function assembleGeneration(place: GenerationPlace, reply: CompletionReply, promptSha256: string): Generation {
  if (reply.status === "failed") {
    const { status, failure, detail } = reply;
    return { ...place, outcome: { status, failure, detail }, promptTokens: null, durationMs: null, promptSha256 };
  }
  const { text, end, tokens, promptTokens, durationMs } = reply;
  return { ...place, outcome: { status: "generated", text, end, tokens }, promptTokens, durationMs, promptSha256 };
}
