import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI, referenceAnswers } from "../fixtures/reference.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const keyOf = (row: { example_id?: string; task?: string; difficulty?: string; permutation?: string }) =>
  [row.example_id, row.task, row.difficulty, row.permutation].join(" ");

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";

// In exact mode every prompt is computed whole: of its six examples, two stand for all.
describe.each([
  ["fast", 6],
  ["exact", isWhole ? 6 : 2],
] as const)("the bundled model in %s mode, beside PyTorch, for %s of 6 examples", (mode, limit) => {
  const out = join(temporaryFolder(), "run");
  const known = [...new Set(referenceAnswers().map(({ example_id: id }) => id))];
  const reference = referenceAnswers().filter(({ example_id: id }) => known.indexOf(id) < limit);
  const ours = new Map<string, TableRow>();

  beforeAll(async () => {
    const { code, stderr } = await runProbe([
      "run",
      "--model",
      "tiny",
      "--dataset",
      MINI,
      "--mode",
      mode,
      "--limit",
      String(limit),
      "--out",
      out,
      "--quiet",
    ]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const row of readTable(out, "answers.csv")) ours.set(keyOf(row), row);
  });

  it("asks every question under every order", () => {
    expect([...ours.keys()].sort()).toEqual(reference.map(keyOf).sort());
  });

  it("counts the same prompt tokens", () => {
    for (const answer of reference)
      expect(ours.get(keyOf(answer))?.["prompt_tokens"]).toBe(String(answer.prompt_tokens));
  });

  it("gives every symbol the same log probability to 1e-4 nats", () => {
    const differences = reference.flatMap((answer) =>
      Object.entries(answer.logprob).map(([symbol, logprob]) =>
        Math.abs(Number(ours.get(keyOf(answer))?.[`logprob_${symbol.toLowerCase()}`]) - logprob),
      ),
    );
    // 402 log probabilities an example; the third, which has no SI questions, 210.
    expect(differences).toHaveLength(limit === 6 ? 2220 : 402 * limit);
    expect(Math.max(...differences)).toBeLessThan(1e-4);
  });

  it("chooses the same option everywhere", () => {
    const differing = reference.filter((answer) => {
      const row = ours.get(keyOf(answer));
      return row?.["chosen_symbol"] !== answer.chosen_symbol || row["correct_symbol"] !== answer.correct_symbol;
    });
    expect(differing).toEqual([]);
  });
});
