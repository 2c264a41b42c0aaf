import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { messageOf } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import { RemainingTime } from "../../console/progress.js";
import { type JournalCount, JournalCounts, total } from "../../run/folder/journal-counts.js";
import {
  findRuns,
  type ListedRun,
  listedHead,
  listRun,
  newestFirst,
  type RunHead,
  readHead,
} from "../../run/folder/list-runs.js";
import { RUN_FILE, runFingerprint } from "../../run/folder/run-folder.js";
import type { Suites } from "../../run/suite-entry.js";
import { FOLDER_LOCK } from "../../store/folder/own-files.js";

/** A run as the page shows it. */
export interface ShownRun extends ListedRun {
  /** Key in the page's addresses: the same for the same folder, letters and digits only. */
  readonly key: string;
  /** Changes with the files that it is read from. */
  readonly stamp: string;
  /** True if its journals were read, so that `forms` have its scores. */
  readonly isScored: boolean;
  /** `null`: no process is at work on it. */
  readonly progress: RunProgress | null;
}

/** State of the folders now. */
export interface Look {
  /** The newest first. */
  readonly runs: readonly ShownRun[];
  /** Reasons why folders could not be looked into. */
  readonly problems: readonly string[];
}

/** A run, and what is known of it. */
interface Known {
  readonly stamp: string;
  readonly head: RunHead;
  readonly followed: FollowedRun | null;
  readonly progress: RunProgress | null;
  /** With what it came to; `null`: not read yet. */
  readonly scored: ListedRun | null;
}

interface WatchOptions {
  readonly suites: Suites;
  readonly folders: readonly string[];
  readonly now: () => Date;
}

/** Nobody looks any more: what was not read yet is left until somebody does. */
const UNWATCHED_MS = 15_000;

/** The list is to be on the screen before what its runs came to is read. */
const LIST_FIRST_MS = 300;

/**
 * The runs in some folders, by looking at the files. Cheap when nothing changed: only the journals of runs that go on are
 * read, and of them what was added. What the others came to is read one by one in the background, the newest first.
 */
export class WatchedRuns {
  readonly #options: WatchOptions;
  #known: ReadonlyMap<string, Known> = new Map();
  #looking: Promise<Look> | null = null;
  #isScoring = false;
  #isClosed = false;
  #lastLookMs = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** State of the folders now; those who ask meanwhile get the same. */
  async look(): Promise<Look> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return await this.#looking;
  }

  /** Ends what goes on in the background. */
  close(): void {
    this.#isClosed = true;
  }

  get folders(): readonly string[] {
    return this.#options.folders;
  }

  async #look(): Promise<Look> {
    this.#lastLookMs = this.#nowMs();
    const problems: string[] = [];
    const found = new Map<string, string>();
    for (const place of this.#options.folders) {
      const folders = await findRuns(place).catch((error: unknown) => {
        problems.push(messageOf(error));
        return [];
      });
      for (const folder of folders) if (!found.has(resolve(folder))) found.set(resolve(folder), folder);
    }
    const looks = [...found.values()].map(async (folder) => [folder, await this.#lookAt(folder)] as const);
    const seen = await Promise.all(looks);
    // Scores of a run may have been read meanwhile.
    this.#known = new Map(seen.map(([folder, known]) => [folder, this.#latest(folder, known)]));
    void this.#scoreUnread();
    return { runs: this.#shown(), problems };
  }

  #latest(folder: string, seen: Known): Known {
    const now = this.#known.get(folder);
    return now?.head === seen.head ? now : seen;
  }

  /** State of a run, read anew where its files changed. */
  async #lookAt(folder: string): Promise<Known> {
    const known = this.#known.get(folder);
    const stamp = stampOf(folder);
    // A process that ended may leave its files as they were: those that go on are looked at again.
    if (known !== undefined && known.stamp === stamp && known.followed === null) return known;
    const head = await readHead(this.#options.suites, folder);
    if (head.kind === "damaged" || !head.isHeld) return { stamp, head, followed: null, progress: null, scored: null };
    try {
      const followed = known?.followed ?? new FollowedRun(head);
      const progress = await followed.progress(this.#nowMs());
      return { stamp, head, followed, progress, scored: null };
    } catch (error) {
      const damaged: RunHead = { kind: "damaged", folder, problem: messageOf(error) };
      return { stamp, head: damaged, followed: null, progress: null, scored: null };
    }
  }

  #shown(): ShownRun[] {
    return [...this.#known]
      .map(([folder, { head, stamp, progress, scored }]) => ({
        ...(scored ?? listedHead(head)),
        key: sha256(resolve(folder)).slice(0, 16),
        stamp,
        isScored: scored !== null,
        progress,
      }))
      .sort(newestFirst);
  }

  /** Reads what runs came to, one after the other, as long as somebody looks. */
  async #scoreUnread(): Promise<void> {
    if (this.#isScoring) return;
    this.#isScoring = true;
    try {
      await setTimeout(LIST_FIRST_MS, undefined, { ref: false });
      for (let next = this.#nextUnread(); next !== null; next = this.#nextUnread()) {
        const [folder, known] = next;
        const scored = await listRun(known.head).catch((error: unknown) => damagedBy(folder, error));
        // Files that changed meanwhile are read again.
        if (this.#known.get(folder) === known) this.#known = new Map([...this.#known, [folder, { ...known, scored }]]);
        // Requests first.
        await setImmediate();
      }
    } finally {
      this.#isScoring = false;
    }
  }

  #nextUnread(): readonly [string, Known] | null {
    if (this.#isClosed || this.#nowMs() - this.#lastLookMs > UNWATCHED_MS) return null;
    const unread = [...this.#known].filter(([, known]) => isUnread(known));
    const [newest] = unread.map(([, { head }]) => listedHead(head)).sort(newestFirst);
    return unread.find(([folder]) => folder === newest?.folder) ?? null;
  }

  #nowMs(): number {
    return this.#options.now().getTime();
  }
}

function isUnread({ head, followed, scored }: Known): boolean {
  return head.kind === "recorded" && followed === null && scored === null;
}

/** A page for all runs is not to end by what is wrong with one. */
function damagedBy(folder: string, error: unknown): ListedRun {
  return listedHead({ kind: "damaged", folder, problem: `Unexpected error: ${messageOf(error)}` });
}

/** Tests if a page of the run is made from this file: tables are written from journals, and tell nothing more. */
function counts(name: string): boolean {
  return name === RUN_FILE || name === FOLDER_LOCK || name.endsWith(".jsonl");
}

/**
 * Size and time of the files that a run is read from: another stamp, and what was made of them is stale. At once: one by
 * one the files of many runs would wait a turn each for what is read in the background.
 */
function stampOf(folder: string): string {
  try {
    const files = readdirSync(folder).filter(counts).sort();
    return JSON.stringify(files.map((name) => [name, ...sizeAndTime(join(folder, name))]));
  } catch {
    // Nothing to be seen: reading it says why.
    return "";
  }
}

function sizeAndTime(path: string): readonly [size: number | null, mtimeMs: number | null] {
  const info = statSync(path, { throwIfNoEntry: false });
  return [info?.size ?? null, info?.mtimeMs ?? null];
}

/** Progress of a run that is under way. */
export interface RunProgress {
  readonly counts: readonly JournalCount[];
  /** Milliseconds, by the rate of the last minute; `null` while there is too little to tell. */
  readonly leftMs: number | null;
}

/** Follows a run that another process is at work on, by its journals. */
class FollowedRun {
  readonly #counts: JournalCounts;
  #remaining: RemainingTime | null = null;

  constructor({ folder, suite, run }: Extract<RunHead, { kind: "recorded" }>) {
    this.#counts = new JournalCounts(folder, suite.journals(run), runFingerprint(suite, run));
  }

  /** @throws ProbeError `bad_input` when a journal is damaged */
  async progress(nowMs: number): Promise<RunProgress> {
    const counts = await this.#counts.read();
    const done = total(counts, "done");
    this.#remaining ??= new RemainingTime(done, nowMs);
    this.#remaining.note(done, nowMs);
    return { counts, leftMs: this.#remaining.leftMs(total(counts, "planned"), nowMs) };
  }
}
