import type { Forge, ForgeAccess } from "./forge/forge.js";
import { connectGitHub } from "./github/forge.js";
import { connectGitLab } from "./gitlab/forge.js";
import type { RepositorySource } from "./source.js";

/** The repository that a source names, on its forge. */
export function connectForge(source: RepositorySource, access: ForgeAccess): Forge {
  return source.kind === "github" ? connectGitHub(source, access) : connectGitLab(source, access);
}
