import { once } from "node:events";
import type { Console } from "../console/console.js";
import type { PageValues } from "../console/page-options.js";
import type { LocalPage } from "./local-app.js";
import { serveLocally } from "./local-server.js";
import { openBrowser } from "./open-browser.js";

/**
 * Serves a page until Ctrl-C. Its address is all that goes to standard output; a browser is opened where a person sits at
 * the terminal.
 * @throws ProbeError `bad_input` when the port cannot be had
 */
export async function serveUntilInterrupted(page: LocalPage, values: PageValues, console: Console): Promise<void> {
  const interrupt = new AbortController();
  const interrupted = once(interrupt.signal, "abort");
  const release = console.onInterrupt(() => interrupt.abort());
  try {
    const server = await serveLocally(page, values.port ?? 0);
    console.out(`${server.url}\n`);
    if (!values.noOpen && console.isTerminal) openBrowser(server.url);
    await interrupted;
    await server.close();
  } finally {
    release();
  }
}
