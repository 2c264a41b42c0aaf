import { resolve } from "node:path";
import { allTests, runTests } from "./run-tests.mjs";

const named = process.argv.slice(2).map((file) => resolve(file));
for (const { name, status } of await runTests(named.length > 0 ? named : allTests())) console.log(`${status} ${name}`);
