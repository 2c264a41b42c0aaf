import { type Command, command } from "../console/command.js";
import { MODEL_OPTIONS } from "../console/model-options.js";
import { optionalPositionals, positional, switchOption } from "../console/option-kinds.js";
import type { Suites } from "../run/suite-entry.js";

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
      run: async (...call) => (await import("./models-handler.js")).handleCheck(...call),
    }),
  ],
  run: async ({ json }, console) => (await import("./models-handler.js")).handleAliases(json, console),
});

/** `probe engine`, `probe engine install`. */
export const engineCommand = command({
  name: "engine",
  describe: "show the engine for GGUF models; `engine install [BUILD…]` fetches it",
  synopsis: "[install [build..]]",
  about: "Shows which builds of the engine this machine has.",
  options: { json: JSON_OPTION },
  examples: [["", "the builds, and what each computes on"]],
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

/** `probe trust`, and `list`, `add`, `remove`. */
export function trustCommand(suites: Suites): Command {
  return command({
    name: "trust",
    describe: "let files that were found send keys or run code: show what they ask for, trust it, take it back",
    about:
      "Shows what probe.config.json here, and a folder, ask for. A file that was found sends no key and runs\n" +
      "no code unless you trust it. What you name on the command line needs no trust.",
    options: async () => (await import("./command-options.js")).SHOW_TRUST,
    places: "[folder]",
    examples: [
      ["", "what probe.config.json here asks for"],
      ["results/20261121T230354Z-lab-1f2e3d4c", "and where going on with that run would send a key"],
    ],
    commands: [
      command({
        name: "list",
        describe: "what is trusted, and since when",
        about: "",
        options: async () => (await import("./command-options.js")).LIST_TRUST,
        examples: [["", "ids, and what each may do"]],
        run: async ({ json }, console) => (await import("./trust-handlers.js")).listTrusted(json, console),
      }),
      command({
        name: "add",
        describe: "trust a key for a server, a module as it is now, or all that is asked for",
        about: "Trusts what the options name; with --yes and none of them, all that `probe trust [folder]` shows.",
        options: async () => (await import("./command-options.js")).ADD_TRUST,
        places: "[folder]",
        examples: [
          ["--base-url http://127.0.0.1:8000 --api-key-env LAB_KEY", "send that key to that server"],
          ["--module ./mine.ts", "run that module as it is now"],
          ["--yes", "all that probe.config.json here asks for"],
        ],
        run: async (...call) => (await import("./trust-handlers.js")).addTrusted(suites, ...call),
      }),
      command({
        name: "remove",
        describe: "take trust back",
        synopsis: "<id…>",
        about: "The ids are those of `probe trust list`.",
        options: async () => (await import("./command-options.js")).REMOVE_TRUST,
        places: "[ids..]",
        examples: [["3fa9c1d2", "one of them"]],
        run: async (...call) => (await import("./trust-handlers.js")).removeTrusted(...call),
      }),
    ],
    run: async (...call) => (await import("./trust-handlers.js")).showAsks(suites, ...call),
  });
}
