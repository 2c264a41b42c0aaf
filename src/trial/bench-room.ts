import { lstat, mkdir, mkdtemp, readdir, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSystemError, ProbeError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { lifeOf, readHolder, thisProcess } from "../store/folder/own-files.js";
import { type Cage, type CageOptions, openCage } from "../workspace/cage.js";
import { inTemporary, removeTree } from "../workspace/tree-files.js";
import type { BenchAdapter } from "./adapter.js";
import type { Bench, BenchTask } from "./bench-task.js";

/** A place for trees, outside the data and the run. */
export interface BenchRoom {
  /** For one piece of work; `close` removes what it made. */
  open(cage: Cage, signal: AbortSignal): Bench & { close(): Promise<void> };
  close(): Promise<void>;
}

const MB = 1024 * 1024;
/** Bytes free for trees, and what tests write beside them, below which a failure may be the disk's. */
const LEAST_FREE = 16 * MB;

/** Beginning of the names of rooms, and the file in each that says whose it is. */
const [ROOM, HOLDER] = ["probe-trials-", "holder.json"];

/**
 * A room of this work alone; what killed sessions left, of this and other work, is removed first.
 * @param owner what no other work has, such as the folder of the run
 * @param say told of a folder that cannot be removed, and is left
 */
export async function openRoom(
  owner: string,
  say: (message: string) => void = () => {},
  leastFree = LEAST_FREE,
): Promise<BenchRoom> {
  const remove = async (folder: string) => {
    const why = await removeTree(folder);
    if (why !== null) say(`Left ${folder}, which cannot be removed: ${why}`);
  };
  const path = await inTemporary(async (place) => {
    for (const folder of await abandonedRooms(place)) await remove(folder);
    const own = join(place, `${ROOM}${sha256(owner).slice(0, 16)}`);
    await remove(own);
    const made = await mkdir(own, 0o700).then(
      () => own,
      (error: unknown) => {
        // One that was left, or is another user's, who may guess the name.
        if (isSystemError(error, "EEXIST")) return mkdtemp(`${own}-`);
        throw error;
      },
    );
    await writeFile(join(made, HOLDER), JSON.stringify(thisProcess()));
    return made;
  });
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
        async spaceFault() {
          const disk = await statfs(path).catch(() => null);
          // One without blocks tells no size, such as a disk in memory without a limit.
          if (disk === null || disk.blocks === 0) return null;
          const free = disk.bavail * disk.bsize;
          if (free >= leastFree) return null;
          const [least, found] = [leastFree, free].map((bytes) => (bytes / MB).toFixed(1));
          return `Expected ${least} MB free in ${dirname(path)}, found ${found} MB. Free some, or name another place in the variable TMPDIR.`;
        },
        async close() {
          for (const folder of made) await remove(folder);
        },
      };
    },
    close: () => remove(path),
  };
}

/** Rooms of this user whose processes are gone, such as of a check that was interrupted; none of a place that hides names. */
async function abandonedRooms(place: string): Promise<string[]> {
  const names = await readdir(place).catch(() => []);
  const rooms = names.filter((name) => name.startsWith(ROOM)).map((name) => join(place, name));
  const found: string[] = [];
  for (const room of rooms) {
    const holder = await readHolder(join(room, HOLDER)).catch(() => null);
    const info = await lstat(room).catch(() => null);
    const isOwn = info !== null && info.uid === process.getuid?.();
    if (isOwn && holder !== null && (await lifeOf(holder)) === "gone") found.push(room);
  }
  return found;
}

/** Cage of a task; `obstacle`: why nobody can be judged by it there, such as an image that is missing; `null`: somebody can. */
interface TaskCage {
  readonly cage: Cage;
  readonly obstacle: string | null;
}

/** Cages of the tasks of a run, each opened when its first task needs it. */
export class TaskCages {
  /** Cage of tasks that name no image. */
  readonly common: Cage;
  readonly #options: CageOptions;
  readonly #own = new Map<string, Promise<TaskCage>>();

  private constructor(common: Cage, options: CageOptions) {
    this.common = common;
    this.#options = options;
  }

  /**
   * @param options with the image that the user names, which wins over all others
   * @throws ProbeError `bad_input` when the sandbox, or the image of the user or the suite, does not work
   */
  static async open(adapter: Pick<BenchAdapter, "image">, options: CageOptions): Promise<TaskCages> {
    const common = await openCage({ ...options, image: options.image ?? adapter.image ?? null });
    return new TaskCages(common, options);
  }

  of({ image }: Pick<BenchTask, "image">): Promise<TaskCage> {
    if (image === undefined || this.#options.image != null)
      return Promise.resolve({ cage: this.common, obstacle: null });
    const known = this.#own.get(image) ?? this.#open(image);
    this.#own.set(image, known);
    return known;
  }

  async #open(image: string): Promise<TaskCage> {
    try {
      return { cage: await openCage({ ...this.#options, image }), obstacle: null };
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      return { cage: this.common, obstacle: error.message };
    }
  }
}
