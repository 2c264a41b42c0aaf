import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CompileCheck, compileCheck, newErrors } from "../../../src/suites/refactorbench/compile-errors.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

/** Writes a folder with these files. */
function writeTree(name: string, files: Readonly<Record<string, string>>): string {
  const source = folder.path(name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  return source;
}

/** A folder with these files, checked. */
function check(name: string, files: Readonly<Record<string, string>>, original?: CompileCheck) {
  return compileCheck(writeTree(name, files), original);
}

const ORIGINAL = {
  "app/page.js": 'import db from "@/lib/db";\nimport "left-pad";\nexport default () => <p>{db}</p>;\n',
  "lib/a.js": "export const a = 1;\n",
};

describe("compileCheck", () => {
  it("finds nothing wrong where imports take every way there is", async () => {
    const { errors, sources } = await check("src", {
      "page.jsx":
        'import { a, b } from "@/lib";\nimport { c } from "./lib/c.js";\nimport React from "react";\nexport default () => <p>{a}{b}{c}</p>;\n',
      "lib/index.js": 'export * from "./a";\nexport { b } from "../b";\n',
      "lib/a.js": "export const a = 1;\n",
      "lib/c.js": "module.exports = { c: 3 };\n",
      "b.ts": "export const b: number = 2;\n",
      "style.css": "p {",
      "look.js": 'import "./style.css";\n',
    });
    expect(errors).toEqual([]);
    expect(sources).toEqual(["b.ts", "lib/a.js", "lib/c.js", "lib/index.js", "look.js", "page.jsx"]);
  });

  it("tells every mistake of every file, also where another does not parse", async () => {
    const { errors } = await check("src", {
      "a.js": "export const = 1;\n",
      "b.js": 'import { gone } from "./c";\nimport "./nowhere";\nimport { any } from "./a";\n',
      "c.js": "export const here = 1;\n",
    });
    expect(errors.map(({ file, line, message }) => [file, line, message])).toEqual([
      ["a.js", 1, 'SyntaxError: Expected identifier but found "="'],
      ["b.js", null, "Cannot find module './nowhere'"],
      ["b.js", 1, "export 'gone' was not found in 'c.js'"],
    ]);
  });

  const own = "own();\n".repeat(5_000);

  it("goes on behind files that are more than its parser takes, and takes as many more characters as the original had", async () => {
    const original = await check("large", { "own.js": own });
    const limit = own.length + 100_000;
    const files = {
      "b.js": 'import { any } from "./a";\nimport { gone } from "./c";\n',
      "c.js": "export const here = 1;\n",
      "d.js": own.padEnd(limit),
    };
    const { errors } = await check("src", { ...files, "a.js": "[".repeat(limit + 1) }, original);
    expect(errors.map(({ file, message }) => [file, message])).toEqual([
      ["a.js", `SyntaxError: over ${limit} characters are not parsed`],
      ["b.js", "export 'gone' was not found in 'c.js'"],
    ]);
  });

  it("is none the worse for a file that ends its parser's process, beside another check", async () => {
    writeTree("ending", {
      "a.js": "[".repeat(1_000_000),
      "b.js": 'import { gone } from "./c";\n',
      "c.js": "export {};\n",
    });
    writeTree("beside", ORIGINAL);
    // In a process of its own: the parser's last words are 40 kB on standard error.
    const code = `
      import { compileCheck } from ${JSON.stringify(join(import.meta.dirname, "../../../dist/src/suites/refactorbench/compile-errors.js"))};
      const checks = await Promise.all(["ending", "beside"].map((name) => compileCheck(process.cwd() + "/" + name)));
      console.log(JSON.stringify(checks.map(({ errors }) => errors.map(({ file, message }) => [file, message]))));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: folder.path("."),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(JSON.parse(stdout)).toEqual([
      [
        ["a.js", expect.stringContaining("did not come to an end")],
        ["b.js", "export 'gone' was not found in 'c.js'"],
      ],
      [["app/page.js", "Cannot find module '@/lib/db'"]],
    ]);
  });

  it("reads nothing by a link that it did not parse before", async () => {
    mkdirSync(folder.path("linked/evil"), { recursive: true });
    mkdirSync(folder.path("linked/src"), { recursive: true });
    writeFileSync(folder.path("linked/evil/x.js"), "[".repeat(1_000_000));
    symlinkSync("../evil", folder.path("linked/src/d"));
    const { errors } = await check("linked/src", {
      "a.js": 'import "./d/x.js";\nimport { gone } from "./b";\n',
      "b.js": "export {};\n",
    });
    expect(errors.map(({ message }) => message)).toEqual(["export 'gone' was not found in 'b.js'"]);
  });

  it("says the same of what lies outside the tree, whether it is there or not", async () => {
    writeFileSync(folder.path("there.js"), "a secret\n");
    const link = folder.path("tree/src/link.js");
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folder.path("there.js"), link);
    const { errors } = await check("tree/src", {
      "a.js": `import "../../there";\nimport "${folder.path("there.js")}";\nimport "./link";\nimport "./link.js";\n`,
      "b.js": 'import "../../nowhere";\nimport "../own.json";\n',
      "../own.json": "{}",
    });
    expect(errors.filter(({ file }) => file !== "link.js").map(({ file, message }) => [file, message])).toEqual([
      ["a.js", "Cannot find module '../../there'"],
      ["a.js", `Cannot find module '${folder.path("there.js")}'`],
      ["a.js", "Cannot find module './link'"],
      ["a.js", "Cannot find module './link.js'"],
      ["b.js", "Cannot find module '../../nowhere'"],
    ]);
  });

  it("has nothing to check in a folder without sources", async () => {
    expect(await check("src", { "a.css": "" })).toMatchObject({ errors: [], sources: [] });
  });
});

describe("newErrors", () => {
  it("counts what the original lacks: a mistake that only moved is none", async () => {
    const original = await check("before", ORIGINAL);
    const changed = await check("after", {
      ...ORIGINAL,
      // As before, by another way to write it; and three that are new.
      "app/parts/body.js": 'import db from "../../lib/db.js";\nexport default db;\n',
      "app/broken.js": 'import { b, c } from "../lib/a";\nimport "lodash/map";\nimport "react";\n',
    });
    const found = newErrors(original, changed, new Set(["react"]));
    expect(found.message.split("\n")).toEqual([
      "src/app/broken.js:1: export 'b' was not found in 'lib/a.js'",
      "src/app/broken.js:1: export 'c' was not found in 'lib/a.js'",
      "src/app/broken.js: Cannot find module 'lodash'",
    ]);
    // One of four files, with three errors.
    expect(found).toMatchObject({ files: 4, filesCompiled: 3 / 4, filesCompiledPublished: 1 / 4 });
  });

  it("falls below 0 as released where there are more errors than files, and never otherwise", async () => {
    const original = await check("before", {});
    const changed = await check("after", { "a.js": 'import "./x";\nimport "./y";\nimport "./z";\n' });
    const { filesCompiled, filesCompiledPublished } = newErrors(original, changed, new Set());
    expect([filesCompiled, filesCompiledPublished]).toEqual([0, -2]);
  });

  it("has no share where there is no file", async () => {
    const nothing = await check("before", {});
    expect(newErrors(nothing, nothing, new Set())).toMatchObject({ filesCompiled: null, filesCompiledPublished: null });
  });
});
