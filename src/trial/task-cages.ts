import { ProbeError } from "../base/errors.js";
import { type Cage, type CageOptions, openCage } from "../workspace/cage.js";
import type { BenchAdapter } from "./adapter.js";
import type { BenchTask } from "./bench-task.js";

/** Cage of a task; `obstacle`: why nobody can be judged by it there, such as an image that is missing; `null`: somebody can. */
export interface TaskCage {
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
