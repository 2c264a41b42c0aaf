import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/base/folders.js";

const FOLDERS = ["bench", "scripts", "examples", "notebooks"];

// They are plain JavaScript over compiled files: no type check sees a module that is gone, and an old one may lie there.
it("modules that scripts and benchmarks import have a source", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder)).flatMap((name) => (name.endsWith(".mjs") ? join(folder, name) : [])),
  );
  const imports = files.flatMap((file) => {
    const found = readFileSync(join(packageRoot, file), "utf8").matchAll(
      /["'](\.{1,2}\/[\w./-]*dist\/[\w./-]+\.js)["']/g,
    );
    return Array.from(found, ([, path = ""]) => ({ file, path: normalize(join(dirname(file), path)) }));
  });
  expect(imports.length).toBeGreaterThan(50);
  const gone = imports.filter(
    ({ path }) => !existsSync(join(packageRoot, path.replace(/^dist\//, "").replace(/\.js$/, ".ts"))),
  );
  expect(gone).toEqual([]);
});
