import { readdirSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { vi } from "vitest";

/** Has `see` called before each flush of a file to the disk, which is done all the same; until mocks are restored. */
export async function watchFlushes(how: "sync" | "datasync", see: () => void): Promise<void> {
  const file = await open(import.meta.filename, "r");
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const original = prototype[how];
  vi.spyOn(prototype, how).mockImplementation(async function (this: typeof file) {
    see();
    await original.call(this);
  });
}

/** Files in a folder that this process has open, as the system tells; none where it does not. */
export function openFiles(folder: string): string[] {
  if (process.platform !== "linux") return [];
  const paths = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return paths.filter((path) => path.startsWith(`${folder}/`));
}
