#!/usr/bin/env node
import { processConsole } from "../console/console.js";
import { runCli } from "./program.js";

process.exitCode = await runCli(process.argv.slice(2), processConsole());
