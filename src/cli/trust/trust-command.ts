import type { Argv } from "yargs";
import type { AddCommand, ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import { parserOptions } from "../../console/option.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { ADD_OPTIONS, REMOVE_OPTIONS, SHOW_OPTIONS } from "./trust-options.js";

const FOLDER = { type: "string", describe: "folder of a run, an audit or a suite's data" } as const;

/** `probe trust`, and `list`, `add`, `remove`. */
export const trustCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "trust [folder]",
      "let files that were found send keys or run code: show what they ask for, trust it, take it back",
      (command) => withSubcommands(describeShow(command), suites, console, done),
      async (argv) => {
        const { showAsks } = await import("./show-asks.js");
        done(await showAsks(suites, argv, console));
      },
    );

function describeShow(command: Argv): Argv {
  return command
    .usage(
      "$0 trust [folder]\n\nShows what probe.config.json here, and a folder, ask for. A file that was found sends no key and runs\n" +
        "no code unless you trust it. What you name on the command line needs no trust.",
    )
    .positional("folder", FOLDER)
    .options(parserOptions(SHOW_OPTIONS))
    .example("$0 trust", "what probe.config.json here asks for")
    .example("$0 trust results/20261121T230354Z-lab-1f2e3d4c", "and where going on with that run would send a key");
}

function withSubcommands(
  command: Argv,
  suites: readonly SuiteEntry[],
  console: Console,
  done: (code: ExitCode) => void,
): Argv {
  return command
    .command(
      "list",
      "what is trusted, and since when",
      (list) => list.usage("$0 trust list").options(parserOptions(SHOW_OPTIONS)),
      async (argv) => {
        const { listTrusted } = await import("./trusted.js");
        done(await listTrusted(argv, console));
      },
    )
    .command(
      "add [folder]",
      "trust a key for a server, a module as it is now, or all that is asked for",
      (add) =>
        add
          .usage(
            "$0 trust add [folder]\n\nTrusts what the options name; with --yes and none of them, all that `probe trust [folder]` shows.",
          )
          .positional("folder", FOLDER)
          .options(parserOptions(ADD_OPTIONS))
          .example(
            "$0 trust add --base-url http://127.0.0.1:8000 --api-key-env LAB_KEY",
            "send that key to that server",
          )
          .example("$0 trust add --module ./mine.ts", "run that module as it is now")
          .example("$0 trust add --yes", "all that probe.config.json here asks for"),
      async (argv) => {
        const { addTrusted } = await import("./trusted.js");
        done(await addTrusted(suites, argv, console));
      },
    )
    .command(
      "remove [ids..]",
      "take trust back",
      (remove) =>
        remove
          .usage("$0 trust remove <id…>\n\nThe ids are those of `probe trust list`.")
          .positional("ids", { type: "string", array: true, describe: "ids of what is trusted" })
          .options(parserOptions(REMOVE_OPTIONS))
          .example("$0 trust remove 3fa9c1d2", "one of them"),
      async (argv) => {
        const { removeTrusted } = await import("./trusted.js");
        done(await removeTrusted(argv, console));
      },
    );
}
