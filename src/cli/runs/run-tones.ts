import type { Tone } from "../../report/block.js";
import type { RunState } from "../../run/list-runs.js";

/** How the state of a run looks. */
export const RUN_TONES: Readonly<Record<RunState, Tone>> = {
  complete: "plain",
  unfinished: "warning",
  locked: "warning",
  damaged: "bad",
};
