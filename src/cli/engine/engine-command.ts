import type { AddCommand } from "../../console/command.js";

const JSON_OPTION = { type: "boolean", describe: "print one JSON document" } as const;

/** `probe engine`, `probe engine install`. */
export const engineCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "engine",
    "show the engine for GGUF models; `engine install [BUILD…]` fetches it",
    (command) =>
      command
        .usage("$0 engine [install [build..]]\n\nShows which builds of the engine this machine has.")
        .option("json", JSON_OPTION)
        .command(
          "install [build..]",
          "fetch the engine once for this user, with more builds where named: cuda, vulkan",
          (install) =>
            install
              .usage(
                "$0 engine install [build..]\n\nFetches the engine that runs GGUF models, by npm, each package by version, " +
                  "and by hash where it is known.\nNo script of it is run.",
              )
              .positional("build", { type: "string", array: true, describe: "builds beside the one for every machine" })
              .option("json", JSON_OPTION)
              .example("$0 engine install", "the processor (on a Mac its GPU too)")
              .example("$0 engine install cuda", "NVIDIA GPUs too"),
          async (argv) => {
            const { handleEngineInstall } = await import("../engine-handler.js");
            done(await handleEngineInstall(argv.build ?? [], argv.json === true, console));
          },
        ),
    async (argv) => {
      const { handleEngine } = await import("../engine-handler.js");
      done(handleEngine(argv.json === true, console));
    },
  );
