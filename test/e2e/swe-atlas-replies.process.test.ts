import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { readTable } from "../fixtures/tables.js";

const folder = useFreshFolder();
const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "test/fixtures/suites/swe-atlas");
const TASKS = { qa: "task-spoiled-entries", tw: "task-sweep-tests", rf: "task-one-spoiled-rule" } as const;
type Workflow = keyof typeof TASKS;
type Case = Readonly<Record<Workflow, string | null>> & { readonly reply: string };

/** Every third: all of them are read in another test. */
const cases = (JSON.parse(readFileSync(join(FIXTURES, "odd-replies.json"), "utf8")).cases as Case[]).filter(
  (_, i) => i % 3 === 0,
);

it("gives every odd reply the published verdict that the released evaluators give it", async () => {
  cpSync(join(ROOT, "datasets/suites/swe-atlas"), folder.path("data"), { recursive: true });
  const rubrics = cases.map((_, i) => ({
    id: `r${i}`,
    title: `1.1: Odd ${i}.`,
    annotations: { type: "positive hli verifier", importance: "must have" },
  }));
  for (const [workflow, task] of Object.entries(TASKS))
    writeFileSync(folder.path(`data/data/${workflow}/${task}/tests/rubrics.json`), JSON.stringify(rubrics));
  const says = [
    { when: ["# The manifest"], says: '{"answer": "YES"} That is all.' },
    ...cases.map(({ reply }, i) => ({ when: [`Odd ${i}.`], says: reply })),
  ];
  writeFileSync(folder.path("judge.jsonl"), says.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { code, stderr } = await runProbe(
    [
      "suite",
      "run",
      "swe-atlas",
      "-q",
      "--data",
      folder.path("data"),
      "--patches",
      join(FIXTURES, "good"),
      "--judge",
      `scripted:${folder.path("judge.jsonl")}`,
      "--out",
      folder.path("run"),
    ],
    { cwd: folder.path("."), env: { XDG_CACHE_HOME: folder.path("cache") } },
  );
  expect([code, stderr]).toEqual([0, ""]);
  const verdicts = readFileSync(folder.path("run/verdicts.jsonl"), "utf8").trim().split("\n");
  const found = new Map(
    verdicts.map((line) => {
      const { condition, criterion_id, score_published, breaks_published } = JSON.parse(line);
      return [`${condition} ${criterion_id}`, breaks_published ? "broken" : score_published];
    }),
  );
  const scoreOf = (verdict: string | null) =>
    verdict === null || verdict === "broken" ? verdict : Number(verdict === "YES");
  for (const workflow of ["qa", "tw", "rf"] as const)
    for (const [i, each] of cases.entries())
      expect([workflow, each.reply, found.get(`${workflow} r${i}`)]).toEqual([
        workflow,
        each.reply,
        scoreOf(each[workflow]),
      ]);
  // Text behind an answer: we read it, the released evaluator does not.
  expect(found.get("tw manifest")).toBe(0);
  const trials = readTable(folder.path("run"), "trials.csv");
  expect(trials.map((row) => [row["condition"], row["rubrics_pass_published"], row["manifest_pass"]])).toEqual([
    ["qa", "false", ""],
    ["tw", "false", "true"],
    ["rf", "false", ""],
  ]);
});
