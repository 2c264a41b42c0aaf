import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseRules } from "../../../../src/suites/codetaste/assets.js";
import { findEngine } from "../../../../src/suites/codetaste/taste-adapter.js";
import { openRoom } from "../../../../src/trial/bench-room.js";
import { openCage } from "../../../../src/workspace/cage.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const fresh = useFreshFolder();
const { path } = fresh;
const signal = new AbortController().signal;

/** A program on the search path that tells its version, and else does what the line says. */
function program(name: string, line: string): void {
  const file = path(`bin/${name}`);
  mkdirSync(path("bin"), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = --version ]; then echo 1.2.3; exit 0; fi\n${line}\n`);
  chmodSync(file, 0o755);
}

beforeEach(() => {
  mkdirSync(path("bin"));
  vi.stubEnv("PATH", `${path("bin")}${delimiter}/usr/bin${delimiter}/bin`);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function scan(ignoreFile: string | null = null) {
  const engine = await findEngine("opengrep", ignoreFile);
  mkdirSync(path("tree"), { recursive: true });
  const rules = path("rules.yml");
  writeFileSync(rules, "rules: [{id: one, pattern: a}]");
  const room = await openRoom(path("room"));
  const bench = room.open(await openCage({ sandbox: "none", hidden: [] }), signal);
  try {
    const set = { side: "additive" as const, path: rules, rules: parseRules(readFileSync(rules, "utf8")) };
    return { engine, result: await engine.scan(set, path("tree"), bench) };
  } finally {
    await bench.close();
    await room.close();
  }
}

/** Writes results to where `--sarif-output` says, and keeps what it was called with. */
const WRITES = `echo "$@" > "${"$"}{0%/bin/*}/asked"
while [ "$1" != --sarif-output ]; do shift; done
echo '{"runs": [{"results": [{"ruleId": "x.one"}]}]}' > "$2"`;

describe("a tool on the search path", () => {
  it("is run on the tree as the released evaluation runs it, and its results are read", async () => {
    program("opengrep", WRITES);
    const { engine, result } = await scan();
    expect([engine.name, engine.version]).toEqual(["opengrep", "1.2.3"]);
    expect(result.status === "scanned" && result.matches.get("one")).toHaveLength(1);
    expect(readFileSync(path("asked"), "utf8")).toMatch(
      /^scan --timeout-threshold 0 --timeout 0 --max-memory 0 -f \S+ --sarif-output \S+ \.\n$/,
    );
  });

  it("has no results where it fails, or writes none", async () => {
    program("opengrep", "echo broken >&2; exit 2");
    expect((await scan()).result).toEqual({ status: "missing", detail: "opengrep ended with exit code 2: broken" });
    program("opengrep", "exit 0");
    expect((await scan()).result).toEqual({ status: "missing", detail: "there is no SARIF file (no such file)" });
  });

  it("leaves out what released data say, and the tree as it was", async () => {
    program("opengrep", `cp .semgrepignore "${"$"}{0%/bin/*}/seen"\n${WRITES}`);
    writeFileSync(path("ignore"), "docs/\n");
    await scan(path("ignore"));
    expect(readFileSync(path("seen"), "utf8")).toBe("docs/\n");
    expect(existsSync(path("tree/.semgrepignore"))).toBe(false);
    writeFileSync(path("tree/.semgrepignore"), "own\n");
    await scan(path("ignore"));
    expect(readFileSync(path("tree/.semgrepignore"), "utf8")).toBe("own\n");
  });

  it("is asked for by name, or the first there is; without one the built-in engine", async () => {
    await expect(findEngine("semgrep", null)).rejects.toThrow("Expected semgrep on the search path");
    expect((await findEngine("auto", null)).name).toBe("regex");
    program("semgrep", "exit 0");
    expect((await findEngine("auto", null)).name).toBe("semgrep");
    program("opengrep", "exit 0");
    expect((await findEngine("auto", null)).name).toBe("opengrep");
    expect((await findEngine("regex", null)).name).toBe("regex");
  });
});
