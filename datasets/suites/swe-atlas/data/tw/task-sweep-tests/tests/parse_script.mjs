import { readFileSync, writeFileSync } from "node:fs";

const [said, , report] = process.argv.slice(2);
const lines = [...readFileSync(said, "utf8").matchAll(/^(PASSED|FAILED|SKIPPED) (.*)$/gm)];
writeFileSync(report, JSON.stringify({ tests: lines.map(([, status, name]) => ({ name, status })) }));
