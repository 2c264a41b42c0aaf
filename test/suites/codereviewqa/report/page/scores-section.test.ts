import { describe, expect, it } from "vitest";
import type { Block } from "../../../../../src/report/block.js";
import { chartSeries } from "../../../../../src/report/chart-data.js";
import { changeTypeBlocks, letterBlocks } from "../../../../../src/suites/codereviewqa/report/page/groups-section.js";
import {
  costOfRun,
  pageTests,
  scoresSection,
} from "../../../../../src/suites/codereviewqa/report/page/scores-section.js";
import { answersUnder, ORDERS_OF_THREE, pick } from "../../../../fixtures/answer.js";
import { makeReportData } from "../../../../fixtures/report-model.js";
import { makeRunFile } from "../../../../fixtures/run-file.js";
import { makeJudgement } from "../../../../fixtures/verdicts.js";

it("says how many of a page's verdicts chance would pass, and corrects each p for their number", () => {
  // 72 models by five forms, all at their floor but three: 360 tests at .01, 3.6 by chance.
  const lucky = [0.001, 0.002, 0.004].map((pValue) => makeJudgement({ pValue }));
  const others = Array.from({ length: 357 }, () => makeJudgement({ state: "at_floor", pValue: 0.5 }));
  const untested = makeJudgement({ state: "unknown" });
  const { sentence, qText } = pageTests([...others, ...lucky, untested]);
  expect(sentence).toContain("Of 360 verdicts of this page that rest on a test, 3 are above");
  expect(sentence).toContain("up to 3.6 would be so by chance");
  // 360/1 · .001 = .36, 360/2 · .002 = .36, 360/3 · .004 = .48; the rest 360/360 · .5.
  expect(lucky.map(qText)).toEqual(["; q 0.3600", "; q 0.3600", "; q 0.4800"]);
  expect(qText(untested)).toBe("");
  expect(pageTests([makeJudgement()]).sentence).toBeNull();
});

const PRICE = { currency: "USD", input: 1, output: 2, as_of: "2026-01-01" };

describe("what a run cost", () => {
  const run = makeRunFile({ questions: 30, generations: 10 });

  it("is money for 1,000 questions and generations where the price is known", () => {
    // 0.2 for 40 is 0.005 each, 5 for 1,000.
    const paid = { ...run, cost: 0.2, price: PRICE };
    expect(costOfRun({ run: paid }, "money")).toEqual({ unit: "USD", amount: 5 });
    expect(costOfRun({ run: { ...run, cost: null } }, "money")).toBeNull();
  });

  it("is tokens of each else, those written among them, and nothing where they are not told", () => {
    const tokens = { prompt: 3000, cached: null, completion: 1000, evaluated: null };
    // (3000 + 1000) / 40.
    expect(costOfRun({ run: { ...run, tokens } }, "tokens")).toEqual({ unit: "tokens", amount: 100 });
    expect(costOfRun({ run: { ...run, tokens: { ...tokens, prompt: null } } }, "tokens")).toBeNull();
  });
});

describe("scores under fewer orders", () => {
  const asked = (orders: readonly string[]) =>
    (["add", "modify"] as const).map((changeType) =>
      answersUnder(orders, (order) => pick(order, 0)).map((answer) => ({
        ...answer,
        exampleId: changeType,
        changeType,
      })),
    );
  /** The titles of all charts, with the rows that have points. */
  const chartsIn = (blocks: readonly Block[]): string[] =>
    blocks.flatMap((block): string[] => {
      if (block.kind === "details" || block.kind === "group") return chartsIn(block.blocks);
      if (block.kind !== "chart") return [];
      const { chart } = block;
      const names =
        chart.type === "intervals"
          ? chart.points.map(({ row }) => row)
          : chart.type === "letters"
            ? chart.shares.map(({ series: { label } }) => label)
            : [];
      return [`${block.title}: ${[...new Set(names)].join(" ")}`];
    });
  const partsOf = async (orders: Readonly<Record<string, number>>) => {
    const answers = Object.entries(orders).map(([name, n]) => [name, asked(ORDERS_OF_THREE.slice(0, n))] as const);
    const data = await makeReportData(Object.fromEntries(answers), undefined, orders);
    const series = chartSeries(data.models.map(({ name }) => name)).map((each, i) => ({
      ...each,
      model: data.models[i]!,
    }));
    return { data, series, leaderboards: [], failures: [], audits: [] };
  };
  const CTR = "change type recognition";

  it("are drawn beside none under all: in charts, tables and sentences with their number", async () => {
    const parts = await partsOf({ all: 6, few: 3 });
    const text = (blocks: readonly Block[]) => JSON.stringify(blocks);
    expect(chartsIn(scoresSection(parts).blocks)).toEqual([`CTR: ${CTR}: all`, `CTR, 3 of 6 orders: ${CTR}: few`]);
    expect(text(scoresSection(parts).blocks)).toContain("few, CTR, 3 of 6 orders: ");
    expect(chartsIn(changeTypeBlocks(parts))).toHaveLength(2);
    expect(text(changeTypeBlocks(parts))).toContain('"label":"CTR, 3 of 6 orders"');
    expect(chartsIn(letterBlocks(parts))).toContain("CTR, 3 of 6 orders: letters chosen: few");
  });

  it("stand under it in the chart of a single run", async () => {
    const { blocks } = scoresSection(await partsOf({ few: 3 }));
    expect(chartsIn(blocks)).toEqual(["Score by probe: CTR, 3 of 6 orders"]);
  });
});
