import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.js";
import { DIFFICULTIES } from "../../src/dataset/example.js";
import { officialRecord, type QuestionForm, toExample } from "../../src/dataset/official-record.js";
import { formName } from "../../src/question/form.js";
import { loadProbes } from "../../src/question/probes.js";
import { isAsked, isChoiceForm, probeForms } from "../../src/question/question-build.js";
import { applyDecisions } from "../../src/review/decision-application.js";
import { type DecisionsFile, readDecisions } from "../../src/review/decisions-file.js";
import { type Category, writeDecisions } from "../fixtures/decisions.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { recordWith } from "../fixtures/official-record.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";

const folder = useFreshFolder();

// Odd spacing and order of fields: the agreed set repeats a line as it stands.
const line = (id: string) => `{ "id":"${id}",  ${JSON.stringify(rawTripleWith()).slice(1)}`;
const DATA = `${["p", "q", "r", "s", "t"].map(line).join("\n")}\n`;

async function decisions(name: string, categories: Record<string, Category>): Promise<DecisionsFile> {
  return readDecisions(writeDecisions(folder.path(`${name}.jsonl`), name, categories, { sha256: sha256(DATA) }));
}

async function request(resolved?: Record<string, Category>) {
  writeFileSync(folder.path("data.jsonl"), DATA);
  return {
    // p: both keep; q: conflict; r: both drop, reasons differ; s: both drop alike; t: ada only.
    files: [
      await decisions("ada", {
        p: "keep",
        q: "keep",
        r: "code_formatting",
        s: "ignored_comment",
        t: "keep",
      }),
      await decisions("bob", { p: "keep", q: "wrong_linking", r: "unclear_comment", s: "ignored_comment" }),
    ],
    keepsUndecided: false,
    resolutions: resolved === undefined ? null : await decisions("both", resolved),
    data: folder.path("data.jsonl"),
    dataAdvice: "Say where it is with --data.",
    out: folder.path("agreed.jsonl"),
  };
}

describe("the agreed set", () => {
  it("is what both kept, byte for byte; every other line has its reason", async () => {
    const { funnel } = await applyDecisions(await request());
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(`${line("p")}\n`);
    expect(funnel).toEqual({
      read: { python: 5 },
      drops: [
        { reason: "conflict, not resolved", counts: { python: 1 } },
        { reason: "dropped by both, reasons differ", counts: { python: 1 } },
        { reason: "ignored_comment", counts: { python: 1 } },
        { reason: "not decided by both", counts: { python: 1 } },
      ],
      kept: { python: 1 },
    });
  });

  it("takes conflicts as they were resolved, and lets a resolution change nothing else", async () => {
    // The word on s and t does not count: s was agreed on, t was not decided by both.
    const { funnel } = await applyDecisions(await request({ q: "keep", r: "no_change_asked", s: "keep", t: "keep" }));
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(`${line("p")}\n${line("q")}\n`);
    expect(funnel.drops.map(({ reason }) => reason)).toEqual([
      "no_change_asked",
      "ignored_comment",
      "not decided by both",
    ]);
  });

  it("of one annotator is what that one kept; undecided examples are kept only when that is asked for", async () => {
    const asked = await request();
    const [ada] = asked.files;
    if (ada === undefined) throw new Error("no decisions");
    const alone = {
      ...asked,
      files: [{ ...ada, decisions: new Map([...ada.decisions].filter(([id]) => id !== "q")) }],
    };
    const strict = await applyDecisions(alone);
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(`${line("p")}\n${line("t")}\n`);
    expect(strict.funnel.drops.map(({ reason }) => reason)).toEqual([
      "not decided",
      "code_formatting",
      "ignored_comment",
    ]);
    await applyDecisions({ ...alone, keepsUndecided: true });
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(
      ["p", "q", "t"].map((id) => `${line(id)}\n`).join(""),
    );
  });

  it("is not made of data that was changed since", async () => {
    const asked = await request();
    writeFileSync(asked.data, `${DATA}\n`);
    await expect(applyDecisions(asked)).rejects.toThrow(
      /Expected the data that .*ada\.jsonl is about .*found another in .*data\.jsonl .*--data/,
    );
  });

  it("says how to name data that is elsewhere", async () => {
    const asked = { ...(await request()), data: folder.path("gone.jsonl") };
    await expect(applyDecisions(asked)).rejects.toThrow(/gone\.jsonl, found no readable file\. .*--data/);
  });
});

describe("a question that was dropped by itself", () => {
  // The first has an id of its own, the second the one that its text gives it.
  const RECORDS = [recordWith({ id: "first" }), recordWith({ review: "Shout." })];
  const TEXT = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join("");
  const [first, second] = RECORDS.map((record) => toExample(record).id) as [string, string];

  async function applied(question: QuestionForm, resolved: boolean) {
    writeFileSync(folder.path("bench.jsonl"), TEXT);
    const dataset = { sha256: sha256(TEXT) };
    const write = (name: string) =>
      readDecisions(writeDecisions(folder.path(`${name}.jsonl`), name, { [first]: "keep", [second]: "keep" }, dataset));
    const [ada, bob, both] = [await write("ada"), await write("bob"), await write("both")];
    const questions = new Map([[second, new Map([[question, "absurd" as const]])]]);
    return applyDecisions({
      files: [ada, { ...bob, questions }],
      resolutions: resolved ? both : null,
      keepsUndecided: false,
      data: folder.path("bench.jsonl"),
      dataAdvice: "",
      out: folder.path("left.jsonl"),
    });
  }

  const left = () => readFileSync(folder.path("left.jsonl"), "utf8").trimEnd().split("\n");

  it("is named in its record, which keeps its id and its options; other records stay as they stand", async () => {
    const { questions, withQuestions } = await applied("SI hard", false);
    expect(questions).toEqual([{ form: "SI hard", reason: "absurd", count: 1 }]);
    expect(withQuestions).toBe(2);
    const [one, two] = left();
    expect(one).toBe(JSON.stringify(RECORDS[0]));
    expect(JSON.parse(two ?? "")).toEqual({ ...RECORDS[1], id: second, not_asked: { "SI hard": "absurd" } });
  });

  it("is asked no more, and the other difficulty still is", async () => {
    await applied("SI hard", false);
    const example = toExample(officialRecord.parse(JSON.parse(left()[1] ?? "")));
    const forms = probeForms([...(await loadProbes()).values()], DIFFICULTIES).filter(isChoiceForm);
    const asked = forms
      .filter((form) => isAsked(form, example))
      .map(({ probe, difficulty }) => formName({ task: probe.task, difficulty }));
    expect(asked).toEqual(["CTR", "CL easy", "CL hard", "SI easy"]);
  });

  it("stands again where those who resolved the example kept it", async () => {
    expect((await applied("SI hard", true)).questions).toEqual([]);
    expect(readFileSync(folder.path("left.jsonl"), "utf8")).toBe(TEXT);
  });
});
