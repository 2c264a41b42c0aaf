import type { AddCommand } from "../../console/command.js";
import { parserOptions } from "../../console/option.js";
import { WORKER_OPTIONS } from "./worker-options.js";

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
      const { handleWorker } = await import("../run/worker-handler.js");
      done(await handleWorker(argv, console));
    },
  );
