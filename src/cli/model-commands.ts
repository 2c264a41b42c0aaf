import { command } from "../console/command.js";
import { MODEL_OPTIONS } from "../console/model-options.js";
import { optionalPositionals, positional, switchOption } from "../console/option-kinds.js";

const JSON_OPTION = switchOption("print one JSON document");

/** `probe models`, `probe models check`. */
export const modelsCommand = command({
  name: "models",
  also: ["aliases", "providers"],
  describe: "list the model aliases; `models check NAME` tries a model out",
  synopsis: "[check <name>]",
  about: "Lists what --model understands by name, and where downloads are kept.",
  options: { json: JSON_OPTION },
  examples: [["", "the aliases shipped, and those of probe.config.json"]],
  commands: [
    command({
      name: "check",
      describe: "ask a model questions whose answer is given away; show how answers can be taken from it",
      about: "Finds the best way to take answers from a model, and proves that its numbers are real.",
      options: { name: positional("alias, provider:name or .gguf file"), json: JSON_OPTION, ...MODEL_OPTIONS },
      examples: [["openai:auto --base-url http://127.0.0.1:8000/v1", "a server of one's own"]],
      run: async (...call) => (await import("./check-handler.js")).handleCheck(...call),
    }),
  ],
  run: async ({ json }, console) => (await import("./aliases-handler.js")).handleAliases(json, console),
});

/** `probe engine`, `probe engine install`. */
export const engineCommand = command({
  name: "engine",
  describe: "show the engine for GGUF models; `engine install [BUILD…]` fetches it",
  synopsis: "[install [build..]]",
  about: "Shows which builds of the engine this machine has.",
  options: { json: JSON_OPTION },
  commands: [
    command({
      name: "install",
      describe: "fetch the engine once for this user, with more builds where named: cuda, vulkan",
      about:
        "Fetches the engine that runs GGUF models, by npm, each package by version, " +
        "and by hash where it is known.\nNo script of it is run.",
      options: { build: optionalPositionals("builds beside the one for every machine"), json: JSON_OPTION },
      examples: [
        ["", "the processor (on a Mac its GPU too)"],
        ["cuda", "NVIDIA GPUs too"],
      ],
      run: async ({ build, json }, console) =>
        (await import("./engine-handler.js")).handleEngineInstall(build, json, console),
    }),
  ],
  run: async ({ json }, console) => (await import("./engine-handler.js")).handleEngine(json, console),
});
