import { expect, it } from "vitest";
import { overviewParts, sizeText } from "../../../src/cli/report/report-handler.js";
import { pageOf } from "../../../src/report/page.js";
import type { SuitePage } from "../../../src/run/suite-page.js";
import type { DataFact, FormKind, RunVerdicts } from "../../../src/verdict/verdict.js";
import { makeForm } from "../../fixtures/verdicts.js";

const run = (kind: FormKind): RunVerdicts => ({
  runId: "r",
  folder: "r",
  suite: "bench",
  model: "m",
  createdAt: "",
  durationMs: 0,
  warnings: [],
  server: null,
  forms: [makeForm({ kind })],
  verdicts: [],
  data: "0123456789",
  reality: [],
});
const page = (kind: FormKind): SuitePage => ({
  part: { subject: "", models: [], facts: [], sections: [], shortTitles: {}, style: "", script: "", data: null },
  runs: [run(kind)],
  notes: [],
  others: {},
});
const fact = (changes: Partial<DataFact> = {}): DataFact => ({
  folder: "aud",
  suite: "bench",
  model: "m",
  data: "01234567",
  fact: { title: "gold code that looks memorised", share: null, state: "good", text: "0 of 7 texts" },
  ...changes,
});
const textOf = (pages: readonly SuitePage[], facts: readonly DataFact[]) => JSON.stringify(overviewParts(pages, facts));

it("says of a suite what an audit of its very data by the same model found, also where there is one suite alone", () => {
  expect(textOf([page("trial")], [fact()])).toContain("0 of 7 texts");
  for (const other of [{ suite: "other" }, { model: "other" }, { data: "76543210" }]) {
    const shown = textOf([page("trial")], [fact(other)]);
    expect(shown).not.toContain("0 of 7 texts");
    expect(shown).toContain("not audited: probe audit --suite bench --part gold");
  }
});

it("asks for no such audit of questions, and is not there for one suite without any", () => {
  expect(textOf([page("choice"), page("choice")], [])).not.toContain("not audited");
  expect(overviewParts([page("trial")], [])).toEqual([]);
});

it("is called by the model that all is about, whatever its runs are called elsewhere", async () => {
  const [part] = overviewParts([page("trial"), page("choice")], []);
  expect(part?.head).toEqual({ title: "m", subject: "Comprehension, action, reality" });
  expect(await pageOf([part!, { ...page("trial").part, models: ["m · a", "m · b"] }])).toContain("<h1>m</h1>");
});

it("tells the size of a page so that a small one has one", () => {
  expect([12, 48_400, 999_400, 1_000_000, 2_345_678].map(sizeText)).toEqual([
    "1 kB",
    "48 kB",
    "999 kB",
    "1.0 MB",
    "2.3 MB",
  ]);
});
