import type { Model } from "../../../src/model/model.js";
import { completed, completionRules, REQUEST } from "./completion.js";

const SIGNAL = new AbortController().signal;
/** What stands behind the gap. */
export const SUFFIX = "\n\n\ndef sub(a, b):\n    return a - b\n";

/** What `infill` does for every provider. */
export function infillContract(getModel: () => Model): void {
  completionRules(async (changes, signal = SIGNAL) => {
    const request = { ...REQUEST, prompt: "def add(a, b):\n    return ", ...changes, suffix: SUFFIX };
    return completed(await getModel().infill!(request, signal));
  });
}
