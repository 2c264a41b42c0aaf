// npm run quick: types, linter and layers, and the tests that only compute, side by side, since each waits at times. Output
// of the tests is shown as it comes, that of the others when they end; fails if one of them does.
import { spawn } from "node:child_process";

const TESTS = ["npx", "vitest", "run", "--project", "unit"];

// As the others wait and end, more than there are cores; `--maxWorkers` says nothing to a project.
const env = { ...process.env, VITEST_MAX_WORKERS: "5" };

function ran([program, ...args], stdio) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["ignore", stdio, stdio], shell: process.platform === "win32" });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => output.push(bytes));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(output) }));
  });
}

const steps = await Promise.all([
  ran(["npm", "run", "types"], "pipe"),
  ran(["npm", "run", "lint"], "pipe"),
  ran(TESTS, "inherit"),
]);
for (const { output } of steps) process.stdout.write(output);
process.exitCode = steps.every(({ code }) => code === 0) ? 0 : 1;
