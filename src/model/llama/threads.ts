import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import type { LlamaSettings } from "../model-settings.js";

/**
 * A file with fewer bytes gets one thread. A step of the bundled model takes a millisecond on one core, and its threads
 * wait for each other some two hundred times in it.
 */
const SMALL_FILE_BYTES = 100_000_000;

/** Interval of looks at the machine. */
const LOOK_EVERY_MS = 1000;

/** Part of a core that others may use of those that are counted on. */
const TOLERATED_LOAD = 0.2;

/** The most threads that may compute: what was asked for; else one for a small file, and a core each for a large one. */
export function mostThreads({ threads }: Pick<LlamaSettings, "threads">, fileBytes: number, cores: number): number {
  if (threads > 0) return threads;
  return fileBytes < SMALL_FILE_BYTES ? 1 : Math.max(1, Math.floor(cores));
}

/** The cores that this process may use: those of its affinity, and of its control group on Linux. */
export function usableCores(): number {
  return Math.min(availableParallelism(), controlGroupCores());
}

function controlGroupCores(): number {
  try {
    return coresOfQuota(readFileSync("/sys/fs/cgroup/cpu.max", "utf8"));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Cores that a `cpu.max` of Linux allows: `200000 100000` is two cores, `max 100000` all. */
export function coresOfQuota(text: string): number {
  const [quota = Number.NaN, period = Number.NaN] = text.trim().split(/\s+/).map(Number);
  const cores = quota / period;
  return cores > 0 ? cores : Number.POSITIVE_INFINITY;
}

/** Processor time since the machine (`idleMs`, `busyMs`: of all cores) and this process began. */
export interface ProcessorTimes {
  readonly cores: number;
  readonly idleMs: number;
  readonly busyMs: number;
  readonly ownMs: number;
}

function processorTimes(): ProcessorTimes {
  const each = cpus().map(({ times }) => times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const { user, system } = process.cpuUsage();
  return {
    cores: each.length,
    idleMs: sum(each.map(({ idle }) => idle)),
    busyMs: sum(each.map((times) => times.user + times.nice + times.sys + times.irq)),
    ownMs: (user + system) / 1000,
  };
}

/** Threads that an engine may use by now. */
interface ThreadLimit {
  maxThreads: number;
}

/**
 * The threads of an engine: at most as many as there are cores that no other process uses. Threads that wait for each
 * other spin: one that has to share its core holds up the others at every operation, and two are then slower than one, by
 * more the smaller the model is. How many there are changes no result.
 */
export class EngineThreads {
  readonly most: number;
  readonly #engine: ThreadLimit;
  readonly #read: () => ProcessorTimes;
  readonly #timer: NodeJS.Timeout | null;
  #before: ProcessorTimes;

  /** @param isFixed `true`: `most` threads are used, whatever else runs */
  constructor(
    engine: ThreadLimit,
    { most, isFixed, read = processorTimes }: { most: number; isFixed: boolean; read?: () => ProcessorTimes },
  ) {
    this.most = most;
    this.#engine = engine;
    this.#read = read;
    this.#before = read();
    engine.maxThreads = most;
    this.#timer = isFixed || most === 1 ? null : setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    // One at first: what the others do is known after a while.
    if (this.#timer !== null) engine.maxThreads = 1;
  }

  /** Opens a context: it never uses more threads than the engine allows while it is opened. */
  async opening<Context>(open: (threads: number) => Promise<Context>): Promise<Context> {
    const now = this.#engine.maxThreads;
    this.#engine.maxThreads = this.most;
    try {
      return await open(this.most);
    } finally {
      this.#engine.maxThreads = now;
    }
  }

  /** Allows as many as were free since the last look. */
  look(): void {
    const [before, after] = [this.#before, this.#read()];
    this.#before = after;
    const [idle, busy] = [after.idleMs - before.idleMs, after.busyMs - before.busyMs];
    if (idle + busy <= 0) return;
    const own = Math.min(busy, after.ownMs - before.ownMs);
    const free = Math.floor(((idle + own) / (idle + busy)) * after.cores + TOLERATED_LOAD);
    this.#engine.maxThreads = Math.min(this.most, Math.max(1, free));
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
