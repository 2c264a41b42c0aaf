import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Permutation } from "js-combinatorics";
import { beforeAll, describe, expect, it } from "vitest";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import { LOCATION_RULES } from "../../src/question/floors/location-rules.js";
import { runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** Reviews that do not change with the starter set; of them those about several lines, where a pattern is seen. */
const REFERENCE = join(import.meta.dirname, "../reference/starter-09071af.jsonl");
const input = at("reviews.jsonl");
const METHODS = ["paper", "matched"] as const;
type Method = (typeof METHODS)[number];

/** Orders of four options; in order `2013` option 2 stands at A. */
const ORDERS = [...new Permutation([0, 1, 2, 3])].map((order) => order.join(""));

async function probe(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProbe(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The option that a rule picks, of equal ones the one of the lowest lines; it sees nothing but the options. */
function picked({ loc_correct: right, loc_wrong_hard: wrong = [] }: OfficialRecord): number {
  const locations = [right, ...wrong].map((lines) => [...lines].sort((a, b) => a - b));
  const rule = LOCATION_RULES.find(({ name }) => name === "medoid_fewest_runs");
  const scores = rule?.score({ locations, lines: [], review: "", changeType: "modify" }) ?? [];
  const best = scores.flatMap((score, option) => (score === Math.max(...scores) ? [option] : []));
  const [first = 0] = best.sort((a, b) => compare(locations[a] ?? [], locations[b] ?? []));
  return first;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((line, i) => line !== b[i]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

interface Outcome {
  readonly score: number;
  readonly state: string;
  readonly floor: number;
}

function recordsIn(path: string): OfficialRecord[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as OfficialRecord);
}

/** Builds the questions, and has every order of the hard ones answered by that rule. */
async function answeredByRule(method: Method): Promise<Outcome> {
  const bench = at(`${method}.jsonl`);
  await probe("dataset", "build", input, "--method", method, "--out", bench);
  const answers = recordsIn(bench).flatMap((record) => {
    const option = String(picked(record));
    return ORDERS.map((permutation) => ({
      task: "CL",
      difficulty: "hard",
      example_id: record.id,
      permutation,
      chosen_symbol: "ABCD"[permutation.indexOf(option)],
    }));
  });
  const script = at(`${method}-answers.jsonl`);
  writeFileSync(script, jsonl(...answers));
  const form = ["--task", "CL", "--difficulty", "hard", "--dataset", bench, "--out", at(`${method}-run`)];
  const { verdicts } = JSON.parse(
    await probe("run", "--model", `scripted:${script}`, ...form, "--quiet", "--json"),
  ) as {
    verdicts: Outcome[];
  };
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as Outcome;
}

let outcomes: Record<Method, Outcome>;

beforeAll(async () => {
  writeFileSync(input, jsonl(...recordsIn(REFERENCE).filter(({ loc_correct: lines }) => lines.length > 1)));
  outcomes = { paper: await answeredByRule("paper"), matched: await answeredByRule("matched") };
});

describe("a script that sees only the options", () => {
  it("gets far above guessing where the questions are built by the paper's rules, and is called at_floor", () => {
    // Guessing in one order reaches 0.25; the rule does not look at the order, so that it is right in all 24 or none.
    expect(outcomes.paper.score).toBeGreaterThan(0.45);
    expect(outcomes.paper.floor).toBeGreaterThan(0.45);
    expect(outcomes.paper.state).toBe("at_floor");
  });

  it("gets near chance where the questions are matched", () => {
    // 54 questions, each right in every order or in none. Ranks are balanced with ties shared, but this script breaks them by
    // the lowest lines, which no choice of options evens out: it is held to chance alone. Of 1000 who guess, 999 get 4 to 24
    // of them (binomial, 1 of 4). By `paper` it gets more than half.
    expect(recordsIn(at("matched.jsonl")).filter(({ loc_wrong_hard: wrong = [] }) => wrong.length > 0)).toHaveLength(
      54,
    );
    expect(outcomes.matched.score * 54).toBeGreaterThan(3.5);
    expect(outcomes.matched.score * 54).toBeLessThan(24.5);
    expect(outcomes.matched.state).not.toBe("above_floor");
  });
});

describe("dataset shortcuts --json", () => {
  it("has exactly the keys of the specification for each form and rule", async () => {
    const report = JSON.parse(await probe("dataset", "shortcuts", at("paper.jsonl"), "--json")) as {
      forms: { rules: { rule: string }[]; task: string; difficulty: string | null }[];
    };
    expect(report.forms.map(({ task, difficulty }) => [task, difficulty])).toEqual([
      ["CTR", null],
      ["CL", "easy"],
      ["CL", "hard"],
    ]);
    for (const form of report.forms) {
      expect(Object.keys(form)).toEqual(["task", "difficulty", "n", "rules", "floor", "floor_rule"]);
      for (const rule of form.rules) expect(Object.keys(rule)).toEqual(["rule", "sees", "value", "ci_low", "ci_high"]);
    }
  });
});
