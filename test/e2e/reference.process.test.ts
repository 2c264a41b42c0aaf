import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI, referenceAnswers } from "../fixtures/reference.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const keyOf = (row: { example_id?: string; task?: string; difficulty?: string; permutation?: string }) =>
  [row.example_id, row.task, row.difficulty, row.permutation].join(" ");

describe.each(["fast", "exact"])("the bundled model in %s mode, beside PyTorch", (mode) => {
  const out = join(temporaryFolder(), "run");
  const reference = referenceAnswers();
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
    expect(differences).toHaveLength(2220);
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
