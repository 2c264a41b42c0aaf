import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.js";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { TINY_FILE } from "../model/llama/open-tiny.js";

const folder = temporaryFolder();
const file = join(folder, "m.gguf");
const env = { PROBE_MODELS_DIR: join(folder, "models") };
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });

it("a run is not gone on with by another model file of the same name; both checksums are named", async () => {
  copyFileSync(TINY_FILE, file);
  const what = ["--model", "m.gguf", "--dataset", MINI, "--task", "CTR", "--limit", "1"];
  expect((await probe("run", ...what, "--out", "run", "-q")).code).toBe(0);
  const before = readFileSync(join(folder, "run", "answers.jsonl"));
  const [old, other] = [readFileSync(file), readFileSync(file)];
  // The lowest bit of a weight's mantissa, in the middle of the weights: it loads, and answers nearly the same.
  other[Math.floor(other.length / 8) * 4]! ^= 1;
  writeFileSync(file, other);
  for (const command of [
    ["run", "--resume", "run"],
    ["run", ...what, "--out", "run"],
  ]) {
    const { code, stderr } = await probe(...command);
    expect(stderr).toContain(`the run has "${sha256(old).slice(0, 12)}`);
    expect(stderr).toContain(`this command "${sha256(other).slice(0, 12)}`);
    expect(code).toBe(2);
  }
  expect(readFileSync(join(folder, "run", "answers.jsonl")).equals(before)).toBe(true);
  writeFileSync(file, old);
  expect((await probe("run", "--resume", "run")).code).toBe(0);
});
