import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/base/folders.js";
import type { CliResult } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const MIB = 2 ** 20;
const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
const base = temporaryFolder();
/** Empty, and with a space in its name. */
const folder = join(base, "my reviews");
const cache = join(base, "cache of mine");
const tarball = () => join(base, readdirSync(base).find((name) => name.endsWith(".tgz")) ?? "");

/** As in a shell of the user's: npm tells its scripts, of which this test may be one, where they belong. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|PROBE_)/i.test(name))),
  XDG_CACHE_HOME: cache,
};

async function command(program: string, args: readonly string[], cwd = folder): Promise<CliResult> {
  const options = { cwd, env: environment, maxBuffer: 64 * MIB };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], options);
    return { code: 0, signal: null, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, signal: null, stdout, stderr };
  }
}

const npx = (...args: string[]) => command("npx", ["--no-install", "probe", ...args]);
/** What npx starts, without its second of work. */
const installed = (...args: string[]) => command(join(folder, "node_modules/.bin/probe"), args);

/** Bytes of a folder, each file once, as `du` counts them. */
function sizeOf(path: string): number {
  return Number(execFileSync("du", ["-sk", path], { encoding: "utf8" }).split("\t")[0]) * 1024;
}

/** Why the packages cannot be fetched; `null` when they can. */
function unreachable(): string | null {
  try {
    const options = ["--fetch-retries=0", "--fetch-timeout=20000", "--prefer-online"];
    execFileSync("npm", ["view", "yargs@18.2.0", "version", ...options], { env: environment, stdio: "pipe" });
    return null;
  } catch {
    return "npm's registry cannot be reached";
  }
}

const reason = unreachable();
if (reason !== null) process.stdout.write(`Skipping the packed program: ${reason}\n`);

describe.skipIf(reason !== null)("the packed program in an empty folder", () => {
  beforeAll(async () => {
    mkdirSync(folder);
    const packed = await command("npm", ["pack", "--ignore-scripts", "--pack-destination", base], packageRoot);
    expect(packed.code, packed.stderr).toBe(0);
    const options = ["--engine-strict", "--no-audit", "--no-fund", "--prefer-offline"];
    const done = await command("npm", ["install", ...options, tarball()]);
    // `--engine-strict` refuses a package that wants another Node than this one.
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).not.toContain("EBADENGINE");
  });

  it("says how to get the engine before a model needs it; scripted models need none", async () => {
    const tiny = await npx("run", "--model", "tiny", "--task", "CL", "--limit", "2", "--out", "no engine");
    expect(tiny.code).toBe(3);
    expect(tiny.stderr).toContain("`probe engine install` fetches it once for this user");
    expect(existsSync(join(folder, "no engine"))).toBe(false);
    expect((await installed("engine")).stdout).toContain("not installed: `probe engine install`");
    const oracle = ["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "2", "--out", "oracle", "-q"];
    expect((await installed(...oracle)).code).toBe(0);
  });

  it("says which packages a queue needs, which others do not install", async () => {
    const run = [
      "run",
      "--model",
      "scripted:oracle",
      "--queue",
      "redis://127.0.0.1:1",
      "--limit",
      "1",
      "--out",
      "queued",
    ];
    expect(await installed(...run)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("npm install bullmq@6 ioredis@6"),
    });
  });

  it("runs the README's program, which compiles strictly without the types of others", async () => {
    const [, program = ""] = /```ts\n(.+?)```/s.exec(readFileSync(join(packageRoot, "README.md"), "utf8")) ?? [];
    // `export`: what is imported and not used would be left out unchecked.
    const all = 'export * as all from "code-review-probe";\nexport * as parts from "code-review-probe/suite";\n';
    const compilerOptions = { strict: true, skipLibCheck: false, types: [], module: "nodenext", target: "es2023" };
    const files = { "first.mts": program, "all.mts": all, "tsconfig.json": JSON.stringify({ compilerOptions }) };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compiler = join(packageRoot, "node_modules/typescript-native/bin/tsc");
    const compiled = await command(process.execPath, [compiler, "--project", folder]);
    expect(compiled.stdout).toBe("");
    expect(compiled.code).toBe(0);
    // The oracle is right in all orders of the four questions.
    expect(await command(process.execPath, ["first.mjs"])).toMatchObject({ code: 0, stdout: "CTR 1 4\n", stderr: "" });
  });

  describe("after `probe engine install`", () => {
    beforeAll(async () => {
      const { code, stdout, stderr } = await installed("engine", "install");
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^The engine works, on the (processor|GPU \(\w+\))\.\n$/);
    });

    it("takes less than 200 MB with the engine, whose builds are those of this machine alone", () => {
      const total = sizeOf(folder) + sizeOf(cache);
      process.stdout.write(`packed: ${Math.round(total / MIB)} MiB installed, the engine among them\n`);
      expect(total).toBeLessThan(200e6);
      const [engine = ""] = readdirSync(join(cache, "code-review-probe"));
      const builds = readdirSync(join(cache, "code-review-probe", engine, "node_modules/@node-llama-cpp"));
      expect(builds).toHaveLength(1);
    });

    it("runs the bundled model, scores, and writes the page", async () => {
      const run = await installed("run", "--model", "tiny", "--task", "CL", "--limit", "2", "--out", "my run", "-q");
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout).toContain("CL hard");
      const page = await installed("report", "my run", "--out", "the page.html");
      expect(page.code, page.stderr).toBe(0);
      expect(readFileSync(join(folder, "the page.html"), "utf8")).toContain("</html>");
    });

    it("builds a benchmark of reviews of one's own", async () => {
      // Three lines change out of nine, so that there are places enough for wrong options.
      const before =
        "def total(items):\n    seen = []\n    result = 0\n    for item in items:\n        result += item\n    return result\n";
      const after = before.replace("result += item", "result += item.price");
      const review = {
        pre_review_code: before,
        code_review: "Add the prices up.",
        post_review_code: after,
        language: "py",
      };
      writeFileSync(join(folder, "reviews.jsonl"), jsonl(review));
      const built = await installed("dataset", "build", "reviews.jsonl", "--surrogate", "tiny", "--out", "mine.jsonl");
      expect(built.code, built.stderr).toBe(0);
      const [record] = readFileSync(join(folder, "mine.jsonl"), "utf8").trimEnd().split("\n");
      expect(JSON.parse(record ?? "")).toMatchObject({ lang: "python" });
    });

    // A third installation.
    it.skipIf(!isWhole)("works when installed for all folders (with PROBE_SLOW_TESTS=1)", async () => {
      const prefix = join(base, "for all");
      const options = ["--prefix", prefix, "--no-audit", "--no-fund", "--prefer-offline"];
      const done = await command("npm", ["install", "--global", ...options, tarball()]);
      expect(done.code, done.stderr).toBe(0);
      const args = ["run", "--model", "tiny", "--task", "CTR", "--limit", "2", "--out", "global", "-q"];
      const { code, stderr } = await command(join(prefix, "bin/probe"), args);
      expect(code, stderr).toBe(0);
    });

    // A second one: npx installs as the folder above was, into a folder of its own.
    it.skipIf(!isWhole)("works by npx, straight from the tarball (with PROBE_SLOW_TESTS=1)", async () => {
      const empty = join(base, "another folder");
      mkdirSync(empty);
      const args = ["run", "--model", "tiny", "--task", "CTR", "--limit", "2", "--out", "one", "-q"];
      const npm = ["--yes", "--prefer-offline", "--package", tarball(), "--", "probe"];
      const { code, stdout, stderr } = await command("npx", [...npm, ...args], empty);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("CTR");
    });
  });
});
