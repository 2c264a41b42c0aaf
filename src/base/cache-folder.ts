import { homedir } from "node:os";
import { join } from "node:path";

/** Where this user's machine keeps what can be fetched again: `models`, `datasets`, the engine. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "code-review-probe");
}
