import type { Argv } from "yargs";
import type { Console } from "./console.js";
import type { ExitCode } from "./exit-codes.js";

/** A command: its own part of the parser, and what it does. Handlers load what they need when they are called. */
export type AddCommand = (parser: Argv, console: Console, done: (code: ExitCode) => void) => Argv;
