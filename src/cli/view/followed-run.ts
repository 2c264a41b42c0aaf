import { RemainingTime } from "../../console/remaining-time.js";
import { type JournalCount, JournalCounts, total } from "../../run/journal-counts.js";
import type { RunHead } from "../../run/list-runs.js";
import { runFingerprint } from "../../run/run-folder.js";

/** How far a run is that goes on. */
export interface RunProgress {
  readonly counts: readonly JournalCount[];
  /** Milliseconds, by the rate of the last minute; `null` while there is too little to tell. */
  readonly leftMs: number | null;
}

/** Follows a run that another process is at work on, by its journals. */
export class FollowedRun {
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
