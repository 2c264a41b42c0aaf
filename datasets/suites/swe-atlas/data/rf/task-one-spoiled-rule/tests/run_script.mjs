import { writeFileSync } from "node:fs";
import { allTests, runTests } from "./run-tests.mjs";

const tests = await runTests(allTests());
const of = (wanted) => tests.filter(({ status }) => status === wanted).map(({ name }) => ({ name }));
writeFileSync(process.argv[2], JSON.stringify({ passed_tests: of("PASSED"), failed_tests: of("FAILED") }));
