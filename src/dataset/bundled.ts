import { join } from "node:path";
import { packageRoot } from "../base/folders.js";

/** The dataset that comes with the program, by the name it has everywhere. */
export const BUNDLED = "starter";

/** The file that a name stands for: of the bundled dataset its own, else the name itself. */
export function datasetFile(name: string): string {
  return name === BUNDLED ? join(packageRoot, "datasets/starter.jsonl") : name;
}
