import { run } from "node:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What became of each test of some files, in their order; a file that ends before its first test has none. */
export async function runTests(files) {
  const tests = [];
  const stream = run({ files, concurrency: false });
  const add = (status) => (data) => {
    if (!data.name.endsWith(".test.js") && data.details?.type !== "suite") tests.push({ name: data.name, status });
  };
  stream.on("test:pass", (data) => add(data.skip === undefined ? "PASSED" : "SKIPPED")(data));
  stream.on("test:fail", add("FAILED"));
  for await (const _ of stream);
  return tests;
}

export function allTests() {
  return readdirSync("test")
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => join(process.cwd(), "test", name));
}
