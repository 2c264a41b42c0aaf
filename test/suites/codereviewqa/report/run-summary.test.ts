import { describe, expect, it } from "vitest";
import { WORTH_QUESTION } from "../../../../src/report/judgement-words.js";
import { plainText } from "../../../../src/report/terminal.js";
import { runBlocks } from "../../../../src/run/run-blocks.js";
import type { SummaryRow } from "../../../../src/suites/codereviewqa/metric/summary-row.js";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { resultBlocks, summaryFacts } from "../../../../src/suites/codereviewqa/report/run-summary.js";
import { type Judgement, judgementText } from "../../../../src/verdict/judgement.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";
import { makeScoredRun } from "../../../fixtures/scored-run.js";
import { A } from "../../../fixtures/symbols.js";
import { makeJudgement } from "../../../fixtures/verdicts.js";

type Values = Partial<Record<SummaryRow["metric"], Partial<SummaryRow>>>;

const DETAILS: Partial<Record<SummaryRow["metric"], NonNullable<SummaryRow["detail"]>>> = {
  floor_majority: { answer: "modify" },
  position_bias: { symbol: A },
};

/** Overall rows of a form; 4 questions unless told otherwise. */
function rowsOf(task: string, difficulty: SummaryRow["difficulty"], values: Values): SummaryRow[] {
  return (Object.entries(values) as [SummaryRow["metric"], Partial<SummaryRow>][]).map(([metric, row]) => ({
    task,
    difficulty,
    groupBy: "overall",
    group: "all",
    metric,
    value: null,
    ciLow: null,
    ciHigh: null,
    n: 4,
    note: "",
    ...(DETAILS[metric] === undefined ? {} : { detail: DETAILS[metric] }),
    ...row,
  }));
}

const worth = (changes: Partial<Judgement>): Partial<SummaryRow> => ({ detail: { judgement: makeJudgement(changes) } });

const CTR: Values = {
  invariant_accuracy: { value: 0.75, ciLow: 0.3006, ciHigh: 0.9544, ...worth({ floorRule: "majority" }) },
  mean_accuracy: { value: 0.9 },
  plurality_agreement: { value: 0.95 },
  plurality_agreement_null: { value: 0.5391 },
  mcsb_gate: { value: 1 },
  position_bias: { value: 0.345 },
  floor_invariant: { value: 1 / 729 },
  floor_majority: { value: 0.5 },
};

async function textOf(
  summary: readonly SummaryRow[],
  run: Partial<RunFile> = {},
  folder = "results/r",
): Promise<string> {
  const counts = { chosen: 6, undecided: 0, failed: 0, failures: {} };
  const file = makeRunFile({ counts, ...run });
  const score = { facts: summaryFacts(file), blocks: await resultBlocks(file, summary) };
  return plainText(runBlocks({ ...makeScoredRun("r", undefined, file, score), run: file, folder }));
}

/** Cells of the table's row that begins with this name. */
function cellsOf(text: string, name: string): string[] | undefined {
  const rows = text.split("\n").map((line) =>
    line
      .split("│")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  return rows.find(([first]) => first === name);
}

const verdictOf = (text: string, name: string) => text.split("\n").find((line) => line.startsWith(`  ${name}: `));

describe("the summary of a run", () => {
  it("opens with model, examples and answers, and ends with the folder", async () => {
    const lines = (await textOf(rowsOf("CTR", null, CTR))).split("\n");
    expect(lines[0]).toBe("scripted:oracle · 1 example · 6 answers");
    expect(lines.slice(-2)).toEqual(["Results: results/r", ""]);
  });

  it("puts interval and floor beside the score, and guessing beside the agreement", async () => {
    expect(cellsOf(await textOf(rowsOf("CTR", null, CTR)), "CTR")).toEqual([
      "CTR",
      "4",
      "75.0 % (30.1–95.4)",
      // Not known which questions words suffice for.
      "–",
      "90.0 %",
      "50.0 % majority",
      // No rule matches words.
      "–",
      "95.0 %",
      "53.9 %",
      "A 34.5 %",
      // Letter mass, undecided and failed were not measured.
      "–",
      "–",
      "–",
    ]);
  });

  it("names both difficulties, each with its own floor", async () => {
    const of = (floor: number, floorRule: string): Values => ({
      ...CTR,
      invariant_accuracy: { value: 0.75, ...worth({ floor, floorRule }) },
    });
    const text = await textOf([
      ...rowsOf("CL", "easy", of(0.25, "longest")),
      ...rowsOf("CL", "hard", of(0.3, "fitted_no_read")),
    ]);
    expect(cellsOf(text, "CL easy")?.[5]).toBe("25.0 % longest");
    expect(cellsOf(text, "CL hard")?.[5]).toBe("30.0 % fitted_no_read");
  });

  it("puts the score where words fail beside the whole, with its number of questions", async () => {
    const fail = { groupBy: "words", group: "do_not_suffice", value: 0.5, n: 20 } as const;
    const rows = [...rowsOf("CL", "easy", CTR), ...rowsOf("CL", "easy", { invariant_accuracy: fail })];
    const text = await textOf(rows);
    expect(cellsOf(text, "CL easy")?.[3]).toBe("50.0 % of 20");
    // One of the others is right: of 4 options 3 are left, of CTR's 3 two.
    expect(text).toContain("any other option is right 1 time in 3 where there are 4, 1 in 2 where there are 3");
  });

  it("tells of how many questions the mean accuracy is that lost orders, and the share of lost questions", async () => {
    const losing: Values = { ...CTR, mean_accuracy: { value: 1, n: 1 }, invariant_lost_rate: { value: 0.75 } };
    const text = await textOf([...rowsOf("CTR", null, CTR), ...rowsOf("CL", "easy", losing)]);
    expect(cellsOf(text, "CL easy")?.[4]).toBe("100.0 % of 1");
    expect(cellsOf(text, "CTR")?.[4]).toBe("90.0 %");
    expect(text).toContain("the verdict counts lost orders as wrong.");
    expect(text).toContain("were undecided or not asked: CL easy 75.0 %.");
    expect(await textOf(rowsOf("CTR", null, CTR))).not.toContain("lost");
  });

  it("says nothing of lost orders where early stop drew no first order, and there is no mean accuracy", async () => {
    const undrawn: Values = { ...CTR, mean_accuracy: { value: null, n: 0 }, invariant_lost_rate: { value: 0 } };
    const text = await textOf(rowsOf("CTR", null, undrawn), { parameters: { early_stop: true } });
    expect(text).not.toContain("Mean accuracy in the table");
    expect(cellsOf(text, "CTR")?.[4]).toBe("–");
  });

  it("tells that after early stop the mean accuracy is of the questions whose first order was answered", async () => {
    const losing: Values = { ...CTR, mean_accuracy: { value: 0.8, n: 3 }, invariant_lost_rate: { value: 0.25 } };
    const text = await textOf(rowsOf("CTR", null, losing), { parameters: { early_stop: true } });
    expect(text.replace(/\s+/g, " ")).toContain(
      "Mean accuracy in the table: of the questions whose first order was answered;",
    );
    expect(text).not.toContain("lost no order");
  });

  it("shows a dash, not a number, for what is not defined", async () => {
    const absent: Values = {
      invariant_accuracy: { value: 0, ciLow: 0, ciHigh: 0.4899 },
      mean_accuracy: { n: 0 },
      plurality_agreement: { n: 0 },
      mcsb_gate: { n: 0 },
      position_bias: { n: 0 },
    };
    const text = await textOf(rowsOf("CTR", null, absent));
    expect(cellsOf(text, "CTR")).toEqual(["CTR", "4", "0.0 % (0.0–49.0)", ...Array(10).fill("–")]);
    expect(text).not.toMatch(/NaN|null|undefined/);
  });

  it("shows overall rows only", async () => {
    const go = rowsOf("CTR", null, { invariant_accuracy: { groupBy: "language", group: "go", value: 0.123 } });
    expect(await textOf([...rowsOf("CTR", null, CTR), ...go])).not.toContain("12.3 %");
  });
});

describe("the verdict", () => {
  it("answers whether the score shows comprehension, in the words of the judgement", async () => {
    const text = await textOf(rowsOf("CTR", null, CTR));
    expect(text).toContain(WORTH_QUESTION);
    expect(verdictOf(text, "CTR")).toBe(`  CTR: ${judgementText(makeJudgement())}`);
  });

  it("is told of written revisions too", async () => {
    const text = await textOf(rowsOf("ACR", null, { em: { value: 0.25, ...worth({ state: "at_floor" }) } }));
    expect(text).toContain(WORTH_QUESTION);
    expect(verdictOf(text, "ACR")).toBe(`  ACR: ${judgementText(makeJudgement({ state: "at_floor" }))}`);
  });

  it("is unknown where nothing was judged", async () => {
    const text = await textOf(rowsOf("CTR", null, { ...CTR, invariant_accuracy: { value: 0.75 } }));
    expect(verdictOf(text, "CTR")).toBe("  CTR: unknown");
    expect(cellsOf(text, "CTR")?.[5]).toBe("–");
  });
});

describe("what went wrong", () => {
  const rows = rowsOf("CTR", null, CTR);

  it("is not mentioned when nothing did", async () => {
    expect(await textOf(rows)).not.toMatch(/Undecided|Failed|Incomplete|Early/);
  });

  it("is counted: undecided, failed by kind, and what is missing", async () => {
    const counts = { chosen: 2, undecided: 1, failed: 2, failures: { context_overflow: 1, refused: 1 } };
    const text = await textOf(rows, { counts });
    expect(text).toContain("Undecided answers: 1 ");
    expect(text).toContain("Failed answers: 2 (context_overflow 1, refused 1).");
    // 2 + 1 + 2 of the six planned
    expect(text).toContain("Incomplete: 5 of 6 answers.");
  });

  it("does not call a run incomplete that stopped early on purpose", async () => {
    const counts = { chosen: 2, undecided: 0, failed: 0, failures: {} };
    const text = await textOf(rows, { counts, parameters: { early_stop: true } });
    expect(text).toContain("Early stop: 2 of 6 orders asked");
    expect(text).not.toContain("Incomplete");
  });

  it("cannot move the cursor: control characters of label and folder are escaped", async () => {
    const text = await textOf(rows, { model: makeRunModel("a\u001b[2Jb", {}) }, "out\u001b]0;x\u0007");
    expect(text).not.toContain("\u001b");
    expect(text).toContain("a\\u001b[2Jb");
    expect(text).toContain("out\\u001b]0;x\\u0007");
  });
});

const ACR: Values = {
  em: { value: 0.25, ciLow: 0.0456, ciHigh: 0.6994 },
  em_trim: { value: 0.5, ciLow: 0.15, ciHigh: 0.85 },
  em_no_space: { value: 0.25, ciLow: 0.0456, ciHigh: 0.6994 },
  em_no_comment: { value: 0.25, ciLow: 0.0456, ciHigh: 0.6994 },
  paper_em: { value: 0, ciLow: 0, ciHigh: 0.4899 },
  paper_em_trim: { value: 0, ciLow: 0, ciHigh: 0.4899 },
  paper_em_no_space: { value: 0, ciLow: 0, ciHigh: 0.4899 },
  paper_em_no_comment: { value: 0, ciLow: 0, ciHigh: 0.4899 },
  bleu: { value: 0.4321 },
  edit_similarity: { value: 0.8768 },
};
const EXACT = "character for character";
const TRIMMED = "text around it forgiven";
const NO_ANSWERS = { chosen: 0, undecided: 0, failed: 0, failures: {} };
const written = (counts: Partial<RunFile["generation_counts"]>): Partial<RunFile> => ({
  counts: NO_ANSWERS,
  planned_answers: 0,
  generations: 4,
  generation_counts: { complete: 0, truncated: 0, empty: 0, failed: 0, failures: {}, ...counts },
});
/** The rates of four generations that ended so. */
const ended = (truncated: number, empty: number, failed: number): Values => ({
  truncated_rate: { value: truncated / 4 },
  empty_rate: { value: empty / 4 },
  failure_rate: { value: failed / 4 },
});
const every = (values: Values, n: number): Values =>
  Object.fromEntries(Object.entries(values).map(([name, row]) => [name, { ...row, n }]));

describe("the generations", () => {
  it("have a table of their own: corrected matches beside the paper's, then similarity and states", async () => {
    const rows = rowsOf("ACR", null, { ...ACR, ...ended(1, 0, 0) });
    const text = await textOf(rows, written({ complete: 3, truncated: 1 }));
    expect(text.split("\n")[0]).toBe("scripted:oracle · 1 example · 4 generations");
    expect(cellsOf(text, EXACT)).toEqual([EXACT, "4", "25.0 % (4.6–69.9)", "0.0 % (0.0–49.0)"]);
    expect(cellsOf(text, TRIMMED)).toEqual([TRIMMED, "4", "50.0 % (15.0–85.0)", "0.0 % (0.0–49.0)"]);
    expect(text).toContain("ACR: BLEU-4 43.2 %, edit similarity 87.7 %; 3 complete, 1 truncated, 0 empty, 0 failed.");
    expect(text).toContain("drops two characters of every line");
    expect(verdictOf(text, "ACR")).toBe("  ACR: unknown");
  });

  it("stand beside what repeating the code gives, where the run recorded the code", async () => {
    const floors: Values = {
      floor_copy_em: { value: 0 },
      floor_copy_em_no_comment: { value: 0.125 },
      floor_copy_bleu: { value: 0.8333 },
      floor_copy_edit_similarity: { n: 0 },
    };
    const text = await textOf(rowsOf("ACR", null, { ...ACR, ...floors }), written({ complete: 4 }));
    expect(cellsOf(text, "ACR exact match")).toEqual([
      "ACR exact match",
      "n",
      "corrected (95 %)",
      "repeating the code",
      "as the paper's script (95 %)",
    ]);
    expect(cellsOf(text, EXACT)?.[3]).toBe("0.0 %");
    expect(cellsOf(text, "comments and whitespace removed")?.[3]).toBe("12.5 %");
    expect(text).toContain("Repeating the code unchanged gives BLEU-4 83.3 %, edit similarity –.");
    expect((await textOf(rowsOf("ACR", null, ACR), written({ complete: 4 }))).toLowerCase()).not.toContain("repeating");
  });

  it("follow the probes' table", async () => {
    const rows = [...rowsOf("ACR", null, ACR), ...rowsOf("CTR", null, CTR)];
    const counts = { chosen: 6, undecided: 0, failed: 0, failures: {} };
    const text = await textOf(rows, { ...written({ complete: 4 }), counts, planned_answers: 6 });
    expect(text.split("\n")[0]).toBe("scripted:oracle · 1 example · 6 answers · 4 generations");
    const judged = text.indexOf(`CTR: ${judgementText(makeJudgement())}`);
    expect(judged).toBeGreaterThan(0);
    expect(text.indexOf(TRIMMED)).toBeGreaterThan(judged);
  });

  it("come with a warning when they are few, and without when they are many", async () => {
    expect(await textOf(rowsOf("ACR", null, ACR), written({ complete: 4 }))).toContain(
      "ACR: 4 generations are too few to tell models apart: the exact match rate may be anything from 4.6 % to 69.9 %.",
    );
    const many = await textOf(rowsOf("ACR", null, every(ACR, 30)), { ...written({ complete: 30 }), generations: 30 });
    expect(many).not.toContain("too few");
  });

  it("are called useless when nothing matches and half did not come to an end", async () => {
    const nothing: Values = Object.fromEntries(Object.entries(ACR).map(([name, row]) => [name, { ...row, value: 0 }]));
    const text = await textOf(
      rowsOf("ACR", null, { ...nothing, ...ended(1, 1, 0) }),
      written({ complete: 2, truncated: 1, empty: 1 }),
    );
    expect(text).toContain(
      "nothing useful was generated: no revision matches, and 2 of 4 were cut off, empty or failed.",
    );
    // Three of four came to an end: a weak model, not a broken one.
    expect(
      await textOf(rowsOf("ACR", null, { ...nothing, ...ended(0, 1, 0) }), written({ complete: 3, empty: 1 })),
    ).not.toContain("nothing useful");
  });

  it("say what failed and what is missing", async () => {
    const text = await textOf(rowsOf("ACR", null, ACR), written({ complete: 1, failed: 2, failures: { refused: 2 } }));
    expect(text).toContain("Failed generations: 2 (refused 2). The same command asks them again.");
    expect(text).toContain("Incomplete: 3 of 4 generations.");
    expect(text).not.toContain("answers");
  });

  it("show a dash where nothing was written", async () => {
    const text = await textOf(
      rowsOf("ACR", null, { ...ACR, ...ended(0, 0, 4), bleu: { n: 0 }, edit_similarity: { n: 0 } }),
      written({ failed: 4 }),
    );
    expect(text).toContain("BLEU-4 –, edit similarity –; 0 complete, 0 truncated, 0 empty, 4 failed.");
  });

  it("are paid for by the token", async () => {
    const run = {
      ...written({ complete: 4 }),
      cost: 1.5,
      price: { currency: "EUR", input: 1, output: 2, as_of: "2026-11-01" },
      tokens: { prompt: 1000, cached: null, completion: 2048, evaluated: null },
    };
    expect(await textOf(rowsOf("ACR", null, ACR), run)).toContain(
      "for 1,000 prompt tokens and 2,048 generated, at prices",
    );
  });
});
