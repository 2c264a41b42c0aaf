import { appendFileSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { onDisk, onDiskSync } from "../../store/atomic-write.js";
import { readText, requirePlainFile } from "../../store/text-lines.js";

const FILE = "money.jsonl";
const amount = z.number().nonnegative();

/** Line of the file; the last whole one holds. */
const line = z.strictObject({
  /** Most that requests may have cost whose replies no journal has. */
  lost: amount,
  /** Most that was under way at once. */
  under_way: amount,
});

/**
 * Money that a run's journals do not tell of, in its folder (`money.jsonl`): what is under way is written down before it is
 * sent, so that a session after a kill counts it as spent.
 */
export class UnderWay {
  readonly #path: string;
  #lost: number;
  #most = 0;

  private constructor(path: string, lost: number) {
    this.#path = path;
    this.#lost = lost;
  }

  /**
   * Counts what was under way at the end of the session before as lost, unless that ended by itself.
   * @throws ProbeError `bad_input` where the file is damaged
   */
  static async open(folder: string): Promise<UnderWay> {
    const path = join(folder, FILE);
    const last = await readLast(path);
    const underWay = new UnderWay(path, last.lost + last.under_way);
    if (last.under_way > 0) underWay.#write();
    return underWay;
  }

  /** Most that requests may have cost whose replies no journal has. */
  get lost(): number {
    return this.#lost;
  }

  /** Notes an amount that is about to be under way, where it was never so much; waits for the file. */
  reach(reserved: number): void {
    if (reserved <= this.#most) return;
    this.#most = reserved;
    this.#write();
  }

  /** Notes a request without a record. */
  lose(most: number): void {
    this.#lost += most;
    this.#write();
  }

  /** Nothing is under way any more. */
  close(): void {
    if (this.#most === 0) return;
    this.#most = 0;
    this.#write();
  }

  #write(): void {
    const text = `${JSON.stringify({ lost: this.#lost, under_way: this.#most })}\n`;
    onDiskSync(this.#path, () => appendFileSync(this.#path, text));
  }
}

async function readLast(path: string): Promise<z.infer<typeof line>> {
  const text = await textOf(path);
  const lines = text.split("\n");
  // A kill cut it off before anything was sent by it.
  const torn = lines.pop() ?? "";
  if (torn !== "") await onDisk(path, () => truncate(path, Buffer.byteLength(text) - Buffer.byteLength(torn)));
  const last = lines.at(-1);
  if (last === undefined) return { lost: 0, under_way: 0 };
  try {
    return line.parse(JSON.parse(last));
  } catch {
    throw new ProbeError(
      "bad_input",
      `Expected amounts as the last line of ${path}, found something else: what was under way is not known. ` +
        "Restore the file; without it, what a kill lost is not counted.",
    );
  }
}

async function textOf(path: string): Promise<string> {
  try {
    await requirePlainFile(path);
    return await readText(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "";
    throw error;
  }
}
