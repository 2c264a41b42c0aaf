import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findScript } from "../../../src/suites/swe-atlas/read-tasks.js";
import { placed, runAllTests, runTestFiles } from "../../../src/suites/swe-atlas/run-tests.js";
import { openRoom } from "../../../src/trial/bench-room.js";
import { fromRoot } from "../../../src/trial/make/work-tools.js";
import { openCage } from "../../../src/workspace/cage.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { atlasTask } from "../../fixtures/suites/swe-atlas/atlas-task.js";

const folder = useFreshFolder();
const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;

describe("scripts of released tasks", () => {
  it.skipIf(!hasBash).each(["none", ...(hasBubblewrap ? (["bwrap"] as const) : [])] as const)(
    "find the tree at /app and their folder at /tests, sandbox %s (skipped without bash)",
    async (sandbox) => {
      const tests = folder.path("task/tests");
      mkdirSync(tests, { recursive: true });
      const script =
        'cd /app\nprintf \'{"passed_tests": [{"name": "%s %s"}]}\' "$(cat name.txt)" "$(cat /tests/more.txt)" > "$1"\n';
      writeFileSync(join(tests, "run_script.sh"), script);
      writeFileSync(join(tests, "more.txt"), "b");
      mkdirSync(folder.path("tree"));
      writeFileSync(folder.path("tree/name.txt"), "a");
      const run = findScript(tests, "run_script", ["sh"]);
      if (typeof run === "string") throw new Error(run);
      const task = atlasTask("rf", [], { folder: folder.path("task"), scripts: { run, parse: null } });
      const room = await openRoom(folder.path("room"));
      const bench = room.open(await openCage({ sandbox, hidden: [folder.path("task")] }), new AbortController().signal);
      const { report } = await runAllTests(task, folder.path("tree"), bench);
      await room.close();
      expect(report).toEqual(new Map([["a b", "passed"]]));
    },
  );

  it.skipIf(!hasBash).each(["none", ...(hasBubblewrap ? (["bwrap"] as const) : [])] as const)(
    "cannot have the host write a start-up file, or read a key, by links of a test in their folders, sandbox %s",
    async (sandbox) => {
      const tests = folder.path("task/tests");
      mkdirSync(tests, { recursive: true });
      writeFileSync(folder.path("bashrc"), "mine\n");
      writeFileSync(folder.path("key"), "private\n");
      const hostile = `for at in "$HOME" "$HOME/.." /tests/.. "$PWD"; do
  ln -sf ${folder.path("bashrc")} "$at/stderr.log"
  ln -sf ${folder.path("key")} "$at/stdout.log"
  ln -sf ${folder.path("key")} "$at/report.json"
  printf 'import sys; sys.exit(open(sys.argv[3], "w").write("{}"))' > /tests/parse_script.py
done 2>/dev/null
echo told >&2; echo said\n`;
      writeFileSync(join(tests, "run_script.sh"), hostile);
      const parse = `import json, sys
out, err, report = sys.argv[1:]
name = f"{open(out).read().strip()} {open(err).read().strip()}"
json.dump({"tests": [{"name": name, "status": "PASSED"}]}, open(report, "w"))`;
      writeFileSync(join(tests, "parse_script.py"), parse);
      mkdirSync(folder.path("tree"));
      const [run, read] = [findScript(tests, "run_script", ["sh"]), findScript(tests, "parse_script", ["py"])];
      if (typeof run === "string" || typeof read === "string") throw new Error(`${run} ${read}`);
      const task = atlasTask("tw", [], { folder: folder.path("task"), scripts: { run, parse: read } });
      const room = await openRoom(folder.path("room"));
      const bench = room.open(await openCage({ sandbox, hidden: [folder.path("task")] }), new AbortController().signal);
      const { report, output } = await runTestFiles(task, folder.path("tree"), ["a.test.js"], bench);
      await room.close();
      expect(report).toEqual(new Map([["said told", "passed"]]));
      expect(output).not.toContain("private");
      expect(readFileSync(folder.path("bashrc"), "utf8")).toBe("mine\n");
    },
  );

  it("have these paths put in where there is no cage, and no others", () => {
    expect(placed("cd /app; /app/run /tests/x; ls /apples /srv/app/x", "/t/tree", "/t/tests")).toBe(
      "cd /t/tree; /t/tree/run /t/tests/x; ls /apples /srv/app/x",
    );
  });
});

describe("an instruction", () => {
  it("names paths from the root of the tree where there is no /app", () => {
    expect(fromRoot("Look at /app and /app/src/a.js; write /logs/agent/answer.txt, not /apple.", "/app")).toBe(
      "Look at . and src/a.js; write logs/agent/answer.txt, not /apple.",
    );
  });
});
