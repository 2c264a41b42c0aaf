import { MODEL_OPTION, MODEL_OPTIONS } from "../../console/model-options.js";
import { countOption, switchOption } from "../../console/option-kinds.js";
import { QUEUE_OPTION } from "../../console/run-options.js";

// All else about opening a model, such as its prompt mode, each run says; `--force` would lift a guard for others'
// runs.
const { promptMode: _, force: __, ...REACH } = MODEL_OPTIONS;

/** The options of a worker. */
export const WORKER_OPTIONS = {
  queue: QUEUE_OPTION,
  model: MODEL_OPTION,
  ...REACH,
  idle: countOption("end after so many seconds without a run to work for (default: never)", 1),
  lostAfter: countOption("give work of a worker that was silent for so many seconds to another (default: 30)", 2),
  quiet: switchOption("no messages", { alias: "q" }),
};
