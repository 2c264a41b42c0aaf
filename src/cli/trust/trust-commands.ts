import { type Command, command } from "../../console/command.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe trust`, and `list`, `add`, `remove`. */
export function trustCommand(suites: readonly SuiteEntry[]): Command {
  return command({
    name: "trust",
    describe: "let files that were found send keys or run code: show what they ask for, trust it, take it back",
    about:
      "Shows what probe.config.json here, and a folder, ask for. A file that was found sends no key and runs\n" +
      "no code unless you trust it. What you name on the command line needs no trust.",
    options: async () => (await import("./trust-options.js")).SHOW_TRUST,
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
        options: async () => (await import("./trust-options.js")).LIST_TRUST,
        run: async ({ json }, console) => (await import("./trusted.js")).listTrusted(json, console),
      }),
      command({
        name: "add",
        describe: "trust a key for a server, a module as it is now, or all that is asked for",
        about: "Trusts what the options name; with --yes and none of them, all that `probe trust [folder]` shows.",
        options: async () => (await import("./trust-options.js")).ADD_TRUST,
        places: "[folder]",
        examples: [
          ["--base-url http://127.0.0.1:8000 --api-key-env LAB_KEY", "send that key to that server"],
          ["--module ./mine.ts", "run that module as it is now"],
          ["--yes", "all that probe.config.json here asks for"],
        ],
        run: async (...call) => (await import("./trusted.js")).addTrusted(suites, ...call),
      }),
      command({
        name: "remove",
        describe: "take trust back",
        synopsis: "<id…>",
        about: "The ids are those of `probe trust list`.",
        options: async () => (await import("./trust-options.js")).REMOVE_TRUST,
        places: "[ids..]",
        examples: [["3fa9c1d2", "one of them"]],
        run: async (...call) => (await import("./trusted.js")).removeTrusted(...call),
      }),
    ],
    run: async (...call) => (await import("./show-asks.js")).showAsks(suites, ...call),
  });
}
