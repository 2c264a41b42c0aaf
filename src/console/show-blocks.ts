import type { Block } from "../report/block.js";
import { PLAIN_TERMINAL, renderTerminal } from "../report/terminal.js";
import type { Console } from "./console.js";

/** Blocks on the console, as wide and as coloured as it is. */
export function showBlocks(console: Console, blocks: readonly Block[], stream: "out" | "err" = "out"): void {
  console[stream](renderTerminal(blocks, console.terminal ?? PLAIN_TERMINAL));
}
