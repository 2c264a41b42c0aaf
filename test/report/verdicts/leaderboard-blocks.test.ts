import { describe, expect, it } from "vitest";
import { SIGNS_TEXT } from "../../../src/report/judgement-words.js";
import { plainText } from "../../../src/report/terminal.js";
import {
  bestBlocks,
  leaderboardMarkdown,
  scoresTable,
  titleOf,
} from "../../../src/report/verdicts/leaderboard-blocks.js";
import { scoresSet } from "../../../src/report/verdicts/table-set.js";
import type { JudgementState } from "../../../src/verdict/judgement.js";
import { leaderboardTables } from "../../../src/verdict/leaderboard.js";
import { scoreboard } from "../../../src/verdict/scoreboard.js";
import type { RunVerdicts, VerdictForm } from "../../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict } from "../../fixtures/verdicts.js";

/** PPA with its distances from 1/3, and from what guessing three options over six orders gives (0.5391). */
const columnsOf = (agreement: number): VerdictForm["columns"] => [
  {
    id: "plurality_agreement",
    label: "PPA (1/N 33.3)",
    value: agreement,
    distances: [
      { id: "above_one_of_n", value: agreement - 1 / 3 },
      { id: "above_guessing", value: agreement - 0.5391 },
    ],
  },
];

/** A run of eight questions in C and eight in Python. */
function run(
  model: string,
  passed: readonly [c: boolean, python: boolean],
  state: JudgementState,
  agreement: number,
): RunVerdicts {
  const value = passed.filter((each) => each).length / 2;
  const measures = [{ metric: "invariant_accuracy", value, ciLow: null, ciHigh: null, n: 2 }];
  const judgement = makeJudgement({ state, score: value, floor: 0.25 });
  return makeRunVerdicts({
    model,
    runId: `run-${model}`,
    forms: [makeForm({ measures, judgement, columns: columnsOf(agreement) })],
    verdicts: Array.from({ length: 16 }, (_, i) =>
      makeVerdict({ item: `${i}`, groups: { language: i < 8 ? "c" : "python" }, passed: passed[i < 8 ? 0 : 1] }),
    ),
  });
}

const RUNS = [
  run("oracle", [true, true], "above_floor", 1),
  run("half", [true, false], "at_floor", 2 / 3),
  run("always-A", [false, false], "unreadable", 1 / 3),
];
const linesOf = (runs: readonly RunVerdicts[], notes: readonly string[] = []) =>
  leaderboardMarkdown(leaderboardTables(runs), notes).split("\n");

describe("leaderboardMarkdown", () => {
  it("writes what is no share as a number, and marks no highest cost as the best", () => {
    const cost = {
      id: "cost_usd",
      label: "cost",
      value: 0.125,
      unit: "number",
      distances: [],
    } as const;
    const lines = linesOf(
      RUNS.map((each) => ({ ...each, forms: each.forms.map((form) => ({ ...form, columns: [cost] })) })),
    );
    expect(lines).toContain("| oracle | 16 | **100.0 ✓** | 100.0 | **100.0** | 0.125 |");
  });

  it("is a table a form: a verdict behind each score, groups, further numbers, the floor below; the best in bold", () => {
    const lines = linesOf(RUNS, ["Mind this."]);
    expect(lines).toContain("Mind this.");
    expect(lines).toContain(SIGNS_TEXT.replace("~", "\\~"));
    expect(lines).toContain("## CTR: change type");
    expect(lines).toContain("| Model | n | Overall | C | Python | PPA (1/N 33.3) |");
    const [oracle, half, letter, floor] = lines.filter((line) => /^\| (oracle|half|always-A|Floor) /.test(line));
    // 100 − 33.3 = 66.7 and 100 − 53.9 = 46.1; 66.7 − 33.3 = 33.3 and 66.7 − 53.9 = 12.8; 33.3 − 53.9 = −20.6.
    // Eight questions in Python that it alone has right: p = 2 / 2^8. In C another is right as often.
    expect(oracle).toBe("| oracle | 16 | **100.0 ✓** | 100.0 | **100.0** | 100.0 (+66.7; +46.1) |");
    expect(half).toBe("| half | 16 | 50.0 = | 100.0 | 0.0 | 66.7 (+33.3; +12.8) |");
    expect(letter).toBe("| always-A | 16 | 0.0 ✗ | 0.0 | 0.0 | 33.3 (0.0; −20.6) |");
    expect(floor).toBe("| Floor |  | 25.0 longest | – | – |  |");
  });

  it("has nothing in bold for a language that is not above its own floor", () => {
    const judged = RUNS.slice(0, 2).map((each) => {
      const [c, python] = [makeJudgement({ state: "unknown" }), makeJudgement({ state: "above_floor" })];
      return { ...each, forms: each.forms.map((form) => ({ ...form, groupJudgements: { c, python } })) };
    });
    const [oracle] = linesOf(judged).filter((line) => line.startsWith("| oracle "));
    expect(oracle).toBe("| oracle | 16 | **100.0 ✓** | 100.0 ? | **100.0 ✓** | 100.0 (+66.7; +46.1) |");
  });

  it("says of a language with too few questions for any verdict that they are too few", () => {
    const judged = RUNS.slice(0, 2).map((each) => {
      const c = makeJudgement({ state: "unknown", clusters: 4, pValue: null });
      return { ...each, forms: each.forms.map((form) => ({ ...form, groupJudgements: { c } })) };
    });
    expect(linesOf(judged).find((line) => line.startsWith("| oracle "))).toContain("| 100.0 too few |");
  });

  it("has a mark before the score of the whole and of each group", () => {
    const mark = { text: "judge?", tone: "warning" } as const;
    const marked = RUNS.slice(0, 1).map((each) => ({
      ...each,
      forms: each.forms.map((form) => ({ ...form, judgement: { ...form.judgement!, mark } })),
    }));
    const [oracle] = linesOf(marked).filter((line) => line.startsWith("| oracle "));
    expect(oracle).toBe("| oracle | 16 | judge? 100.0 ✓ | judge? 100.0 | judge? 100.0 | 100.0 (+66.7; +46.1) |");
  });

  it("calls floor what does not read the review, where rules that match its words have another", () => {
    const words = RUNS.map((each) => ({
      ...each,
      forms: each.forms.map((form) => ({ ...form, judgement: { ...form.judgement!, wordsFloor: 0.75 } })),
    }));
    const unread = "of a rule that does not read the review; one that matches its words may get more.";
    expect(linesOf(words).join("\n")).toContain(unread);
    expect(linesOf(RUNS).join("\n")).toContain("that needs no comprehension.");
  });

  it("explains what stands behind an agreement only where there is one", () => {
    const without = RUNS.map((each) => ({ ...each, forms: each.forms.map((form) => ({ ...form, columns: [] })) }));
    expect(linesOf(RUNS).join("\n")).toContain("In brackets behind an agreement");
    expect(linesOf(without).join("\n")).not.toContain("agreement");
  });

  it("marks none that another equals, that was asked something else, or that is alone", () => {
    const bold = (lines: readonly string[]) => lines.filter((line) => line.includes("| **100.0 ✓** |"));
    expect(bold(linesOf([RUNS[0]!, { ...RUNS[0]!, runId: "again" }]))).toEqual([]);
    const others = RUNS[2]!.verdicts.map((verdict) => ({ ...verdict, asked: "cd".repeat(32) }));
    expect(bold(linesOf([RUNS[0]!, RUNS[2]!]))).toHaveLength(1);
    expect(bold(linesOf([RUNS[0]!, { ...RUNS[2]!, verdicts: others }]))).toEqual([]);
    expect(bold(linesOf([RUNS[0]!]))).toEqual([]);
  });

  it("holds no run of fewer orders against one of all: a column and a table of its own, named with their number", () => {
    // Right under 4 of 24 orders is easier: the score of oracle is another, and none is the best of one.
    const [fewer, ...others] = RUNS.map((each, i) => {
      const orders = i === 0 ? { orders: { asked: 4, all: 24 } } : {};
      return { ...each, forms: each.forms.map((form) => ({ ...form, ...orders })) };
    });
    const runs = [fewer!, ...others];
    expect(leaderboardTables(runs).map(({ rows }) => rows.map(({ model }) => model))).toEqual([
      ["oracle"],
      ["half", "always-A"],
    ]);
    expect(linesOf(runs).join("\n")).not.toContain("**");
    const board = scoreboard(runs);
    expect(scoresTable(board, null).columns.map(({ label }) => label)).toEqual([
      "Model",
      "CTR, 4 of 24 orders",
      "CTR",
      "Mean",
    ]);
    const best = plainText(bestBlocks(board));
    expect(best).toContain("No model is shown to be best.");
    expect(scoresSet([fewer!]).tables[0]!.block.columns.map(({ label }) => label)).toEqual([
      "Model",
      "CTR, 4 of 24 orders",
    ]);
  });

  it("is called by its form's name and title", () => {
    const [table] = leaderboardTables(RUNS);
    expect(titleOf(table!)).toBe("CTR: change type");
    expect(titleOf({ ...table!, form: { ...table!.form, title: "CTR" } })).toBe("CTR");
  });

  it("keeps a hostile name in its cell: no markup, no HTML, no link", () => {
    const name = "=cmd()|`x`<img src=x onerror=alert(1)>\n| new | row |\u202e[a](https://b.c) **d** ![e](f) www.g.h @i";
    const text = linesOf([run(name, [true, true], "above_floor", 1)]);
    const [row] = text.filter((line) => line.includes("cmd"));
    // 6 columns: 7 bars that are not escaped.
    expect(row!.match(/(?<!\\)\|/g)).toHaveLength(7);
    expect(text.join("\n")).not.toMatch(/<img|(?<!\\)`|\u202e|\]\(https:|(?<!\\)!\[|www\.g|(?<!\\)@i/);
    expect(row).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });
});

/** A run of ten CTR questions, of which the first are right. */
function ctrRun(model: string, right: number, state: JudgementState) {
  const measures = [{ metric: "invariant_accuracy", value: right / 10, ciLow: null, ciHigh: null, n: 10 }];
  return makeRunVerdicts({
    model,
    runId: model,
    forms: [makeForm({ measures, judgement: makeJudgement({ state }) })],
    verdicts: Array.from({ length: 10 }, (_, i) => makeVerdict({ item: String(i), passed: i < right })),
  });
}

const saidOf = (...runs: ReturnType<typeof ctrRun>[]) => plainText(bestBlocks(scoreboard(runs)));

describe("who is best", () => {
  it("is whoever has the highest score above its floor, where a paired test tells it from the next", () => {
    // Eight questions that only the first gets right: p = 2 / 2^8 = 0.0078.
    expect(saidOf(ctrRun("low", 2, "above_floor"), ctrRun("high", 10, "above_floor"))).toBe("Best: high on CTR.\n");
    expect(saidOf(ctrRun("low", 2, "at_floor"), ctrRun("high", 10, "above_floor"))).toBe("Best: high on CTR.\n");
  });

  it("is nobody where the lead may be chance, where two tie, or where a run at its floor has more", () => {
    // Two questions that only the first gets right: p = 2 / 2^2 = 0.5.
    const none = "No model is shown to be best.\nHighest above its floor, but not shown to be better than another: ";
    expect(saidOf(ctrRun("a", 6, "above_floor"), ctrRun("b", 8, "above_floor"))).toBe(
      `${none}b on CTR (ahead of a, adjusted p = 0.5000).\n`,
    );
    expect(saidOf(ctrRun("a", 8, "above_floor"), ctrRun("b", 8, "above_floor"))).toContain(
      `${none}a on CTR (level with b, adjusted p = 1`,
    );
    // A run at its floor has eight more: p = 2 / 2^8 = 0.0078.
    expect(saidOf(ctrRun("floor", 10, "at_floor"), ctrRun("low", 2, "above_floor"))).toBe(
      `${none}low on CTR (below floor, adjusted p = 0.0078).\n`,
    );
  });

  it("is nobody where the comparison of the two, which has more tests, shows no difference", () => {
    const both = (each: ReturnType<typeof ctrRun>) => ({
      ...each,
      forms: [
        ...each.forms,
        makeForm({ ...each.forms[0]!, name: "SI", judgement: makeJudgement({ state: "at_floor" }) }),
      ],
      verdicts: [...each.verdicts, ...each.verdicts.map((verdict) => ({ ...verdict, form: "SI", passed: true }))],
    });
    // Six questions that only the first gets right: p = 2 / 2^6 = 0.0313, of CTR and of both together; 1 of SI.
    const [low, high] = [ctrRun("low", 4, "above_floor"), ctrRun("high", 10, "above_floor")];
    expect(saidOf(low, high)).toBe("Best: high on CTR.\n");
    // 0.03125 · 3 tests / rank 2 = 0.0469: still best.
    expect(saidOf(both(low), both(high))).toContain("Best: high on CTR.");
    // Without the pool 0.03125 · 2 tests / rank 1 = 0.0625.
    const alone = (each: ReturnType<typeof ctrRun>) => {
      const own = both(each);
      return { ...own, forms: own.forms.map((form) => ({ ...form, pool: null })) };
    };
    expect(saidOf(alone(low), alone(high))).toContain("high on CTR (ahead of low, adjusted p = 0.0625)");
    expect(linesOf([alone(low), alone(high)]).join("\n")).not.toContain("**");
  });

  it("is nobody on a language where the tests of all languages leave no difference", () => {
    // Six questions in C that the first alone has right: p = 0.0313; ten in Python that both have: 1. With CTR's own
    // 0.0313 · 3 / 2 = 0.0469; beside a third language 0.0313 · 4 / 2 = 0.0625, and the whole, a single test, stays best.
    const languages = (model: string, right: boolean, others: readonly string[]) => {
      const own = ctrRun(model, right ? 10 : 4, "above_floor");
      const verdicts = ["c", ...others].flatMap((language) =>
        Array.from({ length: 6 }, (_, i) =>
          makeVerdict({ item: `${language} ${i}`, groups: { language }, passed: right || language !== "c" }),
        ),
      );
      return { ...own, verdicts };
    };
    const rowOf = (...others: string[]) =>
      linesOf([languages("low", false, others), languages("high", true, others)]).find((line) =>
        line.startsWith("| high "),
      );
    expect(rowOf("python")).toBe("| high | 12 | **100.0 ✓** | **100.0** | 100.0 |");
    expect(rowOf("java", "python")).toBe("| high | 18 | **100.0 ✓** | 100.0 | 100.0 | 100.0 |");
  });

  it("is nobody by hunks of two tasks: eight questions are two cases then", () => {
    const hunks = (each: ReturnType<typeof ctrRun>) => ({
      ...each,
      verdicts: each.verdicts.map((verdict, i) => ({ ...verdict, cluster: `task-${i % 2}` })),
    });
    // Two tasks that differ: p = 2 / 2^2.
    expect(saidOf(hunks(ctrRun("low", 2, "above_floor")), hunks(ctrRun("high", 10, "above_floor")))).toContain(
      "p = 0.5000",
    );
  });

  it("is nobody where nothing is above its floor, and not told of one run", () => {
    expect(saidOf(ctrRun("a", 8, "at_floor"), ctrRun("b", 8, "unknown"))).toBe(
      "No model is shown to be best.\nNo score is above its floor on CTR.\n",
    );
    expect(saidOf(ctrRun("a", 8, "above_floor"))).toBe("");
  });

  it("is not told of a form that one run alone was asked: its score may be above its floor", () => {
    const renamed = (name: string, each: ReturnType<typeof ctrRun>) => ({
      ...each,
      forms: each.forms.map((form) => ({ ...form, name })),
      verdicts: each.verdicts.map((verdict) => ({ ...verdict, form: name })),
    });
    const runs = [ctrRun("a", 8, "above_floor"), renamed("CL", ctrRun("b", 8, "at_floor"))];
    expect(saidOf(...runs)).toBe(
      "No model is shown to be best.\nOnly one run has a score on CTR.\nNo score is above its floor on CL.\n",
    );
  });
});
