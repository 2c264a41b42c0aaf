import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../base/sha256.js";
import type { Cage } from "../workspace/cage.js";
import { removeTree } from "../workspace/remove-tree.js";
import type { Bench } from "./bench-task.js";

/** A place for trees, outside the data and the run. */
export interface BenchRoom {
  /** For one piece of work; `close` removes what it made. */
  open(cage: Cage, signal: AbortSignal): Bench & { close(): Promise<void> };
  close(): Promise<void>;
}

/**
 * A room of this work alone; what a killed session of it left is removed first.
 * @param owner what no other work has, such as the folder of the run
 * @param say told of a folder that cannot be removed, and is left
 */
export async function openRoom(owner: string, say: (message: string) => void = () => {}): Promise<BenchRoom> {
  const path = join(await realpath(tmpdir()), `probe-trials-${sha256(owner).slice(0, 16)}`);
  const remove = async (folder: string) => {
    const why = await removeTree(folder);
    if (why !== null) say(`Left ${folder}, which cannot be removed: ${why}`);
  };
  await remove(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    open(cage, signal) {
      const made: string[] = [];
      return {
        cage,
        signal,
        async folder() {
          const folder = await mkdtemp(join(path, "t-"));
          made.push(folder);
          return folder;
        },
        async close() {
          for (const folder of made) await remove(folder);
        },
      };
    },
    close: () => remove(path),
  };
}
