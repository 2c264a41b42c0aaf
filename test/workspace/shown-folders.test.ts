import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shownFolders } from "../../src/workspace/shown-folders.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

it("a hidden place that cannot be reached is none: no cache in a home that is another's, or a file", () => {
  const home = join(folder, "home");
  writeFileSync(home, "");
  // Shown, so that what is hidden in it would have to be masked.
  expect(shownFolders([join(home, ".cache"), home], [folder])).toMatchObject({ emptied: [], blanked: [home] });
});
