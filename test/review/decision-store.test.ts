import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DecisionStore, readDecisions } from "../../src/review/decisions-file.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const DATASET = { path: "data.jsonl", sha256: "a".repeat(64), examples: 3 };
const CRC = expect.stringMatching(/^[0-9a-f]{8}$/) as string;
const KEEP = { decision: "keep", reason: null } as const;
const DROP = { decision: "drop", reason: "wrong_linking" } as const;

function open(changes: Partial<Parameters<typeof DecisionStore.open>[0]> = {}): Promise<DecisionStore> {
  return DecisionStore.open({
    path: folder.path("decisions.jsonl"),
    dataset: DATASET,
    annotator: "ada",
    now: () => new Date("2026-11-22T10:00:00Z"),
    ...changes,
  });
}

const text = () => readFileSync(folder.path("decisions.jsonl"), "utf8");

describe("a decisions file", () => {
  it("begins with the data and the annotator, and has a decision when `decide` resolves", async () => {
    const store = await open();
    await store.decide("x", DROP, "a note");
    const [header, begin, decision] = text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    const identity = { "dataset sha256": DATASET.sha256, annotator: "ada" };
    expect(header).toEqual({ journal: "review", version: 2, identity });
    expect(begin).toEqual({
      crc: CRC,
      kind: "review",
      schema_version: 1,
      dataset: DATASET,
      annotator: "ada",
      started_at: "2026-11-22T10:00:00.000Z",
    });
    expect(decision).toEqual({
      crc: CRC,
      kind: "decision",
      example_id: "x",
      decision: "drop",
      reason: "wrong_linking",
      note: "a note",
      annotator: "ada",
      decided_at: "2026-11-22T10:00:00.000Z",
    });
    await store.close();
  });

  it("is gone on with; the last decision about an example counts, and the earlier ones stay in the file", async () => {
    const first = await open();
    await first.decide("x", KEEP, "");
    await first.decide("x", DROP, "");
    await first.close();
    const second = await open();
    expect(second.decisions.get("x")).toMatchObject(DROP);
    expect(text().split("\n")).toHaveLength(5);
    await second.close();
  });

  it("keeps a note on an undecided example, and repeats the decision with a new note", async () => {
    const first = await open();
    await first.note("x", "hm");
    await first.decide("y", DROP, "");
    await first.note("y", "on second thought");
    await first.close();
    const second = await open();
    expect(second.noteOf("x")).toBe("hm");
    expect(second.decisions.has("x")).toBe(false);
    expect(second.decisions.get("y")).toMatchObject({ ...DROP, note: "on second thought" });
    await second.close();
  });

  it("loses the line that a kill tore, nothing before it, and nothing after it", async () => {
    const first = await open();
    await first.decide("x", KEEP, "");
    await first.close();
    appendFileSync(folder.path("decisions.jsonl"), '{"kind":"decision","exam');
    const second = await open();
    expect(second.droppedBytes).toBe(24);
    await second.decide("y", DROP, "");
    await second.close();
    const { decisions, tornBytes } = await readDecisions(folder.path("decisions.jsonl"));
    expect([...decisions.keys()]).toEqual(["x", "y"]);
    expect(tornBytes).toBe(0);
  });

  it("keeps decisions that come at once each on a line of its own", async () => {
    const store = await open();
    await Promise.all(Array.from({ length: 40 }, (_, i) => store.decide(`e${i}`, KEEP, "n".repeat(i))));
    await store.close();
    expect((await readDecisions(folder.path("decisions.jsonl"))).decisions.size).toBe(40);
  });

  it.each([
    ["dataset", { dataset: { ...DATASET, sha256: "b".repeat(64) } }, /dataset sha256: the file has "a{64}", .*"b{64}"/],
    ["annotator", { annotator: "bob" }, /annotator: the file has "ada", this command "bob"/],
  ])("of another %s is refused, naming the difference, and left as it is", async (_, changes, says) => {
    await (await open()).close();
    const before = text();
    await expect(open(changes)).rejects.toThrow(says);
    expect(text()).toBe(before);
    // Nor is it left locked.
    await (await open()).close();
  });

  it("is not made of a file that is something else", async () => {
    writeFileSync(folder.path("decisions.jsonl"), '{"id":"my data"}\n');
    await expect(open()).rejects.toThrow(/Expected a decisions file .* found another first line: \{"id":"my data"\}/);
    expect(text()).toBe('{"id":"my data"}\n');
  });

  it("with a damaged line in the middle is refused, naming the line", async () => {
    const store = await open();
    await store.decide("x", KEEP, "");
    await store.close();
    appendFileSync(folder.path("decisions.jsonl"), '{"kind":"decision"}\n');
    await expect(open()).rejects.toThrow(/decisions\.jsonl:4: expected a decision, found a damaged line/);
  });

  it("in a folder that does not exist is refused before anything is shown", async () => {
    await expect(open({ path: folder.path("nowhere/decisions.jsonl") })).rejects.toThrow(
      /Expected to write .*nowhere.*ENOENT.*Make the folder/,
    );
  });
});

describe("a decision that cannot be saved", () => {
  it("is an error when the file was moved away: it does not go where nobody would find it", async () => {
    const store = await open();
    renameSync(folder.path("decisions.jsonl"), folder.path("moved.jsonl"));
    await expect(store.decide("x", KEEP, "")).rejects.toThrow(/ENOENT/);
    expect(store.decisions.has("x")).toBe(false);
    // Back in its place, it is written again.
    renameSync(folder.path("moved.jsonl"), folder.path("decisions.jsonl"));
    await store.decide("x", KEEP, "");
    await store.close();
    expect((await readDecisions(folder.path("decisions.jsonl"))).decisions.has("x")).toBe(true);
  });

  it("is an error when another program changed the file", async () => {
    const store = await open();
    appendFileSync(folder.path("decisions.jsonl"), "x");
    await expect(store.decide("x", KEEP, "")).rejects.toThrow(/another program changed it/);
    await store.close();
  });

  it("holds what was dropped of an example by itself; the last word about a question counts", async () => {
    const store = await open();
    await store.decideQuestion("x", "SI hard", { decision: "drop", reason: "absurd" });
    await store.decideQuestion("x", "CL easy", { decision: "drop", reason: "also_right" });
    await store.decideQuestion("x", "SI hard", { decision: "keep", reason: null });
    await store.close();
    const { questions, decisions } = await readDecisions(folder.path("decisions.jsonl"));
    expect(questions).toEqual(new Map([["x", new Map([["CL easy", "also_right"]])]]));
    expect(decisions.size).toBe(0);
    const again = await open();
    expect(again.questions).toEqual(questions);
    await again.close();
  });
});
