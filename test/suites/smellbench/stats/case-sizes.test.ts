import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCases } from "../../../../src/suites/smellbench/read-cases.js";
import { caseSize, sizeRows } from "../../../../src/suites/smellbench/stats/case-sizes.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const data = temporaryFolder();
const CLEAN =
  "export class Sum {\n  of(a, b) {\n    return a + b;\n  }\n}\n\nexport function twice(a) {\n  return a * 2;\n}\n";
/** One line of Sum.of goes, one of it comes; a new function of two lines comes, in another file. */
const SMELL = `diff --git a/sum.js b/sum.js
--- a/sum.js
+++ b/sum.js
@@ -1,5 +1,5 @@
 export class Sum {
   of(a, b) {
-    return a + b;
+    return b + a;
   }
 }
diff --git a/more.js b/more.js
new file mode 100644
--- /dev/null
+++ b/more.js
@@ -0,0 +1,2 @@
+function unused() {
+}
`;

function put(name: string, tree: boolean): void {
  mkdirSync(join(data, name), { recursive: true });
  writeFileSync(join(data, name, "smell.patch"), SMELL);
  const smell = { type: "dead_code_elimination", difficulty: "easy", hint_guided: "g", hint_targeted: "t" };
  const settings = { command: ["node", "--test"] };
  const own = { ...smell, instance_id: name, project_name: name, smell_function: ["sum.js", "Sum", "of"], settings };
  writeFileSync(join(data, name, "case.json"), JSON.stringify({ ...own, testsuites: ["a", "b", "c"] }));
  if (!tree) return;
  mkdirSync(join(data, "trees", name), { recursive: true });
  writeFileSync(join(data, "trees", name, "sum.js"), CLEAN);
}

describe("the size of a case", () => {
  it("is told by the smell's patch, and methods by the code where it is at hand", async () => {
    put("one", true);
    put("two", false);
    const sizes = [];
    for (const task of await readCases(data, null)) sizes.push((await caseSize(task))!);
    // Lines: 1 goes, 1 + 2 come. Methods: Sum.of and unused, not twice.
    expect(sizes).toEqual([
      { project: "one", lines: 4, files: 2, methods: 2, tests: 3 },
      { project: "two", lines: 4, files: 2, methods: null, tests: 3 },
    ]);
  });

  it("has its mean by project, and over projects the plain mean, as Table 2 prints it", () => {
    const size = (project: string, lines: number) => ({ project, lines, files: 1, methods: null, tests: 2 });
    const rows = sizeRows([size("a", 10), size("a", 20), size("b", 30)]);
    expect(rows.map(({ project, lines, count, methods }) => [project, lines, count, methods])).toEqual([
      ["a", 15, 2, null],
      ["b", 30, 1, null],
      // (15 + 30) / 2, not 20.
      ["Overall", 22.5, 3, null],
    ]);
  });
});
