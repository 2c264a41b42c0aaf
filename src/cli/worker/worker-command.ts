import type { AddCommand } from "../../console/command.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "../../console/model-options.js";
import { countOption, parserOptions, switchOption } from "../../console/option.js";
import { QUEUE_OPTION } from "../../console/run-options.js";

// How a model is opened besides, such as its prompt mode, each run says; `--force` would lift a guard for others' runs.
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

/** `probe worker`. */
export const workerCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "worker",
    "take work from a queue, for runs with --queue on other machines",
    (command) =>
      command
        .usage(
          "$0 worker --queue URL --model M\n\nOpens a model, and answers what runs with the same --queue ask of it: the same model,\n" +
            "settings and version of this program. Ctrl-C ends it once what is under way is finished.",
        )
        .options(parserOptions(WORKER_OPTIONS))
        .example("$0 worker --queue redis://10.0.0.5 --model qwen", "on each machine that has a GPU")
        .example("$0 worker --queue redis://10.0.0.5 --model qwen --idle 600", "until there is nothing to do"),
    async (argv) => {
      const { handleWorker } = await import("./worker-handler.js");
      done(await handleWorker(argv, console));
    },
  );
