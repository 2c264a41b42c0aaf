import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadOwnPrompts } from "../../../src/suites/swe-atlas/atlas-task.js";
import { goldOf } from "../../../src/suites/swe-atlas/hand-in.js";
import { groupOf, OWN_TASKS, readTasks } from "../../../src/suites/swe-atlas/read-tasks.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = useFreshFolder();
const ANNEX = join(import.meta.dirname, "../../../../shared/suites-annex/swe-atlas/tasks");
afterEach(() => vi.unstubAllEnvs());

function write(path: string, text: string): void {
  mkdirSync(dirname(folder.path(path)), { recursive: true });
  writeFileSync(folder.path(path), text);
}

const rubrics = JSON.stringify([
  { id: "h", title: "1: Heading", annotations: { type: "high level intent", importance: "must have" } },
  { id: "r", title: "1.1: Says it", annotations: { type: "positive hli verifier", importance: "must have" } },
  { id: "n", title: "2.1: Fault", annotations: { type: "negative hli verifier", importance: "nice to have" } },
]);

/** Files of a made-up task as the released ones have them; code and wording are ours. */
function released(workflow: "qa" | "tw" | "rf", commit: string): Record<string, string> {
  const prefix = workflow === "qa" ? "" : "rubrics_";
  const common = {
    "instruction.md": "Look at /app, write to /logs/agent/answer.txt.\n",
    "task.toml": `[task]\nname = "x"\n\n[metadata]\ncategory = "Startup"\nlanguage = "Go"\nrepository = "https://github.com/made/up.git"\nbase_commit = "${commit}"\n`,
    "tests/prompt.txt": "What does it do?\n",
    "tests/rubrics.json": rubrics,
    [`tests/${prefix}system_prompt.txt`]: "Judge it.",
    [`tests/${prefix}user_prompt_template.txt`]: "{problem_statement} {model_answer} {title}",
  };
  if (workflow === "qa")
    return { ...common, "solution/answer.txt": "<<FINAL_ANSWER>>\nIt starts.\n<<FINAL_ANSWER>>\n" };
  if (workflow === "rf")
    return {
      ...common,
      "tests/run_script.sh": "cd /app\n",
      "tests/test_patch.diff": "",
      "tests/test_files.json": '{"files": [{"name": "test/a.py"}]}',
      "tests/relevant_test_names.json": '{"tests": [{"name": "a"}]}',
      "solution/gold.patch": "",
    };
  return {
    ...common,
    "tests/manifest_system_prompt.txt": "Compare.",
    "tests/manifest_user_prompt_template.txt": "{model_edits} {model_answer}",
    "tests/run_script.sh": "cd /app\n",
    "tests/parse_script.py": "",
    "tests/skeleton_code_swap.patch": "",
    "solution/addition.patch": "diff --git a/test/a.py b/test/a.py\n",
    "solution/solve.sh":
      "cat > m << 'END'\n<<TEST_MANIFEST>>\n- file: test/a.py\n  tests:\n    - a\n<<TEST_MANIFEST>>\nEND\n",
  };
}

/** A clone of a made-up repository, and its only commit. */
function clone(): string {
  const path = folder.path("repos/made/up");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: path, encoding: "utf8" });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "a.txt"), "a\n");
  git("init", "-q");
  git("add", "a.txt");
  git("commit", "-qm", "one");
  return git("rev-parse", "HEAD").trim();
}

/** All programs that scripts may need are there, and do nothing. */
function stubPrograms(...names: string[]): void {
  for (const name of names) {
    write(`bin/${name}`, "#!/bin/sh\n");
    chmodSync(folder.path(`bin/${name}`), 0o755);
  }
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  if (!existsSync(folder.path("bin/git"))) symlinkSync(git, folder.path("bin/git"));
  vi.stubEnv("PATH", folder.path("bin"));
}

async function tasksOf(files: Record<string, Record<string, string>>) {
  for (const [task, own] of Object.entries(files))
    for (const [file, text] of Object.entries(own)) write(`data/${task}/${file}`, text);
  return readTasks(folder.path("."), await loadOwnPrompts());
}

describe("task folders in the released layout", () => {
  it("are read whole, with the prompts that they bring", async () => {
    const commit = clone();
    stubPrograms("bash", "python3");
    const tasks = await tasksOf({
      "qa/task-1": released("qa", commit),
      "tw/task-2": released("tw", commit),
      "rf/task-3": released("rf", commit),
    });
    expect(tasks.map(({ obstacle }) => obstacle)).toEqual([null, null, null]);
    const common = { group: "made/up", category: "Startup", language: "go", problem: "What does it do?\n" };
    const source = { kind: "commit", repository: folder.path("repos/made/up"), commit, patch: null };
    expect(tasks[0]).toMatchObject({ ...common, id: "task-1", conditions: ["qa"], source, scripts: null });
    expect(tasks[0]!.prompts).toEqual({ system: "Judge it.", template: "{problem_statement} {model_answer} {title}" });
    expect(tasks[0]!.rubrics.map(({ id, importance }) => `${id} ${importance}`)).toEqual([
      "h must have",
      "r must have",
      "n nice to have",
    ]);
    expect(tasks[1]).toMatchObject({
      scripts: {
        run: { file: "run_script.sh", program: "bash" },
        parse: { file: "parse_script.py", program: "python3" },
      },
      manifestPrompts: { system: "Compare.", template: "{model_edits} {model_answer}" },
    });
    expect(tasks[2]).toMatchObject({ testFiles: ["test/a.py"], relevantTests: ["a"], scripts: { parse: null } });
  });

  it("have their right solutions as patches, with what is handed in", async () => {
    const [qa, tw] = await tasksOf({ "qa/task-1": released("qa", "x"), "tw/task-2": released("tw", "x") });
    expect((await goldOf(qa!))?.toString()).toContain(
      "+++ b/logs/agent/answer.txt\n@@ -0,0 +1,3 @@\n+<<FINAL_ANSWER>>\n+It starts.",
    );
    const patch = (await goldOf(tw!))?.toString();
    expect(patch).toContain("diff --git a/test/a.py");
    expect(patch).toContain("+- file: test/a.py\n+  tests:\n+    - a\n+<<TEST_MANIFEST>>\n");
    rmSync(folder.path("data/qa/task-1/solution"), { recursive: true });
    expect(await goldOf(qa!)).toBeNull();
  });

  it.each([
    ["rf", "tests/run_script.sh", "task-1: no tests/run_script.mjs or run_script.sh"],
    ["tw", "tests/parse_script.py", "task-1: no tests/parse_script.mjs or parse_script.py"],
    ["tw", "tests/skeleton_code_swap.patch", "task-1: no tests/skeleton_code_swap.patch"],
    ["rf", "tests/test_patch.diff", "task-1: no tests/test_patch.diff"],
    ["rf", "tests/relevant_test_names.json", "task-1: no tests/relevant_test_names.json"],
    ["qa", "tests/rubrics.json", "task-1: no tests/rubrics.json"],
    ["qa", "instruction.md", "task-1: no instruction.md"],
  ] as const)("of %s without %s say why nobody can be judged by them", async (workflow, file, reason) => {
    const commit = clone();
    stubPrograms("bash", "python3");
    const { [file]: _, ...files } = released(workflow, commit);
    const [task] = await tasksOf({ [`${workflow}/task-1`]: files });
    expect(task!.obstacle).toBe(reason);
  });

  it("say which clone, commit or program is missing", async () => {
    stubPrograms("bash");
    const [qa, tw] = await tasksOf({ "qa/task-1": released("qa", "abc"), "tw/task-2": released("tw", "abc") });
    expect(qa!.obstacle).toBe(`task-1: no clone of made/up in ${folder.path("repos/made/up")}`);
    const commit = clone();
    const again = await tasksOf({ "tw/task-2": released("tw", commit) });
    expect(again[0]!.obstacle).toContain("task-1: no commit abc in the clone");
    expect(again[1]!.obstacle).toBe("task-2: no python3 to run tests/parse_script.py");
    expect(tw!.workflow).toBe("tw");
  });

  it("of refactorings may name their repository beside the tests", async () => {
    const files = released("rf", "abc");
    const config = '{"repo": "made_up_here", "base_commit": "abc", "language": "Go"}';
    const toml = '[metadata]\ncategory = "refactoring"\n';
    const [task] = await tasksOf({ "rf/task-1": { ...files, "task.toml": toml, "tests/config.json": config } });
    expect(task).toMatchObject({ group: "made/up_here", category: "refactoring", language: "go" });
  });

  it.each(["../outside", "/etc/passwd", "a/../../b"])("name no file outside the repository: %s", async (name) => {
    const list = JSON.stringify({ files: [{ name }] });
    const [task] = await tasksOf({ "rf/task-1": { ...released("rf", "abc"), "tests/test_files.json": list } });
    expect(task!.testFiles).toEqual([]);
    expect(task!.obstacle).not.toBeNull();
  });

  it.each(["instruction.md", "tests/prompt.txt", "tests/system_prompt.txt", "solution/answer.txt"])(
    "give nothing of the user's where %s is a link or a pipe",
    async (name) => {
      const commit = clone();
      write("home/secret", "private");
      const { [name]: _, ...files } = released("qa", commit);
      mkdirSync(dirname(folder.path(`data/qa/task-1/${name}`)), { recursive: true });
      mkdirSync(dirname(folder.path(`data/qa/task-2/${name}`)), { recursive: true });
      symlinkSync(folder.path("home/secret"), folder.path(`data/qa/task-1/${name}`));
      execFileSync("mkfifo", [folder.path(`data/qa/task-2/${name}`)]);
      const tasks = await tasksOf({ "qa/task-1": files, "qa/task-2": files });
      expect(tasks.map(({ id, obstacle }) => obstacle?.replaceAll(id, "ID"))).toEqual(
        Array(2).fill(`ID: data/qa/ID/${name} is a link or a pipe: put a plain file in its place`),
      );
      expect(JSON.stringify(tasks)).not.toContain("private");
    },
  );

  it("give no tree of the user's by a link, nor a commit that they name", async () => {
    const outside = temporaryFolder();
    mkdirSync(join(outside, ".ssh"));
    const commit = clone();
    mkdirSync(folder.path("repos"), { recursive: true });
    symlinkSync(outside, folder.path("repos/victim"));
    const files = released("qa", commit);
    const toml = (repository: string, base: string) =>
      `[metadata]\nrepository = "${repository}"\nbase_commit = "${base}"\n`;
    const [led, named] = await tasksOf({
      "qa/task-1": { ...files, "task.toml": toml("victim/.ssh", commit) },
      "qa/task-2": { ...files, "task.toml": toml("made/up", "HEAD") },
    });
    expect(led!.obstacle).toContain("repos/victim/.ssh leads out of the data by a link");
    expect(led!.source).toEqual({ kind: "folder", path: folder.path("data/qa/task-1") });
    expect(named!.obstacle).toContain("task-2: no commit HEAD in the clone");
  });

  it("are refused where there is none", async () => {
    await expect(tasksOf({})).rejects.toThrow("Expected tasks in");
  });

  it.each(["https://github.com/a/b.git", "https://github.com/a/b/", "a/b"])("are of one repository: %s", (name) => {
    expect(groupOf(name)).toBe("a/b");
  });

  it.skipIf(!existsSync(ANNEX))("that were released are read (skipped without them)", async () => {
    cpSync(ANNEX, folder.path("data"), { recursive: true });
    const tasks = await readTasks(folder.path("."), await loadOwnPrompts());
    // 5 + 3, 3 + 7 and 12 + 1 with 4 headings; scripts and clones are not in the annex.
    expect(tasks.map(({ workflow, rubrics: own }) => [workflow, own.length])).toEqual([
      ["qa", 8],
      ["tw", 10],
      ["rf", 17],
    ]);
    expect(tasks.map(({ group }) => group)).toEqual(["trufflesecurity/trufflehog", "kovidgoyal/kitty", "secdev/scapy"]);
    for (const { obstacle } of tasks) expect(obstacle).toContain("no clone of");
  });
});

describe("our own tasks", () => {
  it("are one of each workflow, and nothing keeps them from being tried", async () => {
    const tasks = await readTasks(OWN_TASKS, await loadOwnPrompts());
    expect(tasks.map(({ workflow, obstacle }) => [workflow, obstacle])).toEqual([
      ["qa", null],
      ["tw", null],
      ["rf", null],
    ]);
    for (const task of tasks) expect(await goldOf(task)).not.toBeNull();
  });

  const clone = process.env["PROBE_SWE_ATLAS"] ?? "";
  it.skipIf(clone === "")(
    "of a whole clone have its 4,063 rubrics (skipped unless PROBE_SWE_ATLAS names one)",
    async () => {
      const tasks = await readTasks(clone, await loadOwnPrompts());
      const counts: Record<string, number> = {};
      const count = (key: string) => {
        counts[key] = (counts[key] ?? 0) + 1;
      };
      for (const { workflow, rubrics: own } of tasks) {
        count(`${workflow} tasks`);
        for (const { type, importance } of own) count(`${workflow} ${type.split(" ", 1)} ${importance}`);
      }
      // As published at 49e4af3: 1,306, 1,539 and 1,218 rubrics, of which 253 are headings and 226 faults.
      expect(counts).toEqual({
        "qa tasks": 124,
        "qa positive must have": 1220,
        "qa negative must have": 86,
        "tw tasks": 90,
        "tw positive must have": 784,
        "tw positive nice to have": 755,
        "rf tasks": 70,
        "rf high must have": 201,
        "rf high nice to have": 52,
        "rf negative must have": 140,
        "rf positive must have": 808,
        "rf positive nice to have": 17,
      });
    },
  );
});
