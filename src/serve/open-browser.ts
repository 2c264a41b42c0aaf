import { spawn } from "node:child_process";
import { platform } from "node:process";

/** Opens an address in the user's browser. Where that fails nothing happens: the address is printed anyway. */
export function openBrowser(url: string): void {
  const [command, ...args] = openerOf(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function openerOf(url: string): [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  // `start` takes its first quoted argument for a title.
  if (platform === "win32") return ["cmd", "/c", "start", '""', url];
  return ["xdg-open", url];
}
