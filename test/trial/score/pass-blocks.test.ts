import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/report/terminal.js";
import { passBlocks, trialBlocks } from "../../../src/trial/score/trial-blocks.js";
import type { SummaryRow } from "../../../src/trial/score/trial-tables.js";
import type { TrialRun } from "../../../src/trial/trial-run.js";

const run = (trials: number) =>
  ({ agents: [{ name: "a" }, { name: "scripted:noop" }], conditions: ["qa"], trials_per_task: trials }) as TrialRun;

function row(metric: string, value: number, more: Partial<SummaryRow> = {}): SummaryRow {
  const place = { agent: "a", condition: "qa", groupBy: "overall", group: "" } as const;
  return { ...place, metric, value, low: null, high: null, interval: "", n: 4, excluded: 0, note: "", ...more };
}

const passes = (more: Partial<SummaryRow>) => [
  row("pass_at_1", 0.5, more),
  row("pass_at_2", 0.75, more),
  row("pass_hat_2", 0.25, more),
];

describe("Pass@k as a table", () => {
  it("has a row a condition and a set of tasks of the agent that the run is about", () => {
    const sets = [{}, { condition: "all" }, { condition: "all", groupBy: "language", group: "go" }] as const;
    const summary = [...sets.flatMap(passes), ...passes({ agent: "scripted:noop" })];
    const text = plainText(passBlocks(run(2), summary, "reward"));
    const cells = text
      .split("\n")
      .flatMap((line) => (line.includes("%") ? [line.split(/[│\s]+/).filter(Boolean)] : []));
    expect(text).toContain("Pass^2");
    expect(cells).toEqual([
      ["qa", "4", "50.0", "%", "75.0", "%", "25.0", "%"],
      ["all", "4", "50.0", "%", "75.0", "%", "25.0", "%"],
      ["language:", "go", "4", "50.0", "%", "75.0", "%", "25.0", "%"],
    ]);
  });

  it("leaves out groups that the other tables have, and is none of one trial a task without sets of its own", () => {
    expect(plainText(passBlocks(run(2), passes({ groupBy: "group", group: "g" }), "reward"))).not.toContain("%");
    expect(passBlocks(run(1), [row("reward", 0.5)], "reward")).toEqual([]);
    expect(plainText(passBlocks(run(1), [row("reward", 0.5, { condition: "all" })], "reward"))).toContain("50.0 %");
  });
});

describe("tasks that are in no rate", () => {
  it("are told apart: those whose tests do not hold, and those that nobody could check here", () => {
    const asked = { ...run(1), agents: [], conditions: [], tasks: [], sandbox: { kind: "bwrap", version: null } };
    const check = (task_id: string, valid: boolean | null, reason: string | null) => ({ task_id, valid, reason });
    const checks = [check("a", true, null), check("b", false, "gold: fail"), check("c", null, "no clone")];
    const shown = { run: asked, checks, summary: [], records: [], scores: [], headline: "passed", judgements: [] };
    const text = plainText(trialBlocks(shown as unknown as Parameters<typeof trialBlocks>[0]));
    expect(text).toMatch(
      /1 of 3 tasks are in no rate: their own tests do not hold, whoever is judged\.\s+\S* ?b: gold: fail/,
    );
    expect(text).toMatch(/1 of 3 tasks are in no rate: they could not be checked here\.\s+\S* ?c: no clone/);
  });
});
