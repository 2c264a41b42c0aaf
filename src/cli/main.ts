#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { processConsole } from "../console/console.js";
import { runCli } from "./program.js";

// Grammars are compiled once: doing it again for speed takes as long as parsing ten thousand hunks, and gains a fifth.
setFlagsFromString("--liftoff-only");
process.exitCode = await runCli(process.argv.slice(2), processConsole());
