import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LIMITS, watchLimits } from "../../src/workspace/limits.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("holds the folders that are there to their limits where another one is gone", async () => {
  await writeFile(folder.path("a"), "");
  // So low that one empty file is too much, whatever others write to the same disk.
  const limits = { ...LIMITS, disk: -Number.MAX_SAFE_INTEGER };
  let watch = { end() {} };
  const why = await new Promise<string>((stop) => {
    watch = watchLimits({ pid: () => null, folders: [folder.path("gone"), folder.path()], stop }, limits);
  });
  watch.end();
  expect(why).toMatch(/files on disk$/);
});
