import { describe, expect, it } from "vitest";
import { loadPrompt } from "../../../src/base/prompt-template.js";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { withMisses } from "../../../src/distractors/near-miss/near-miss.js";
import { readRevision } from "../../../src/distractors/near-miss/revision.js";
import { faultsIn, withWrittenMisses, wordsIn } from "../../../src/distractors/near-miss/written-misses.js";
import type { CompletionReply } from "../../../src/model/requests.js";

const BEFORE = "def close(self):\n    self.flush()\n    self.file.close()";
const AFTER = "def close(self):\n    if self.is_open:\n        self.flush()\n    self.file.close()";

const completed = (text: string): CompletionReply => ({
  status: "completed",
  text,
  tokens: 1,
  promptTokens: 1,
  durationMs: 1,
  end: "stop",
});

/** What a check says of faults that it lets pass, all of them. */
const PASSED = ["1 fault", "2 fault", "3 fault"].join("\n");

/** Revisions with the near misses of a reply, one each, as a check says of them, and the prompts that were asked. */
async function written(reply: CompletionReply, said = PASSED) {
  const [preReviewLines, postReviewLines] = [BEFORE.split("\n"), AFTER.split("\n")];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python" as const, review: "Only while open.", preReviewLines, postReviewLines };
  const revision = await readRevision(triple, diff);
  const prompts: string[] = [];
  const complete = ({ prompt }: { prompt: string }) => {
    prompts.push(prompt);
    return Promise.resolve(prompts.length === 1 ? reply : completed(said));
  };
  const [write, check] = [await loadPrompt("dataset/near-misses"), await loadPrompt("dataset/near-miss-check")];
  const writer = { model: { complete }, write, check };
  const told = [{ kind: "negation", edits: [{ start: 24, end: 24, to: "not " }], isAsked: true, cost: 0.4 }] as const;
  const signal = new AbortController().signal;
  const misses = await withWrittenMisses(told, revision, { triple, writer, seed: 0, signal });
  return { prompts, misses, texts: misses.map((miss) => withMisses(revision.text, [miss])) };
}

describe("words in the reply to a check", () => {
  it("stand behind the number of their fault, a line each", () => {
    const words = wordsIn("Here they are:\n1 fault\n2. odd\n**3**: Right, it is\n4 fault or odd\n5 wrong\n6");
    expect([...words]).toEqual([
      [1, "fault"],
      [2, "odd"],
      [3, "right"],
      [4, "fault"],
    ]);
  });
});

describe("faults in a reply", () => {
  const fault = { line: 2, from: "a", to: "b" };

  it("are objects, one a line or in a list, with text around them or a fence", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b"}')).toEqual([fault]);
    expect(faultsIn('Here:\n```json\n[\n  {"line": 2, "from": "a", "to": "b"},\n]\n```')).toEqual([fault]);
    expect(faultsIn('[{"line": 2, "from": "a",\n "to": "b"}]')).toEqual([fault]);
  });

  it("are normalised as reviews are", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b\\r\\nc\\ud800"}')).toEqual([{ ...fault, to: "b\nc\ufffd" }]);
  });

  it("are taken once, and only whole", () => {
    const line = JSON.stringify(fault);
    expect(
      faultsIn(`${line}\n${line}\n{"line": "2", "from": "a", "to": "b"}\n{"line": 0, "from": "a", "to": "b"}`),
    ).toEqual([fault]);
    expect(faultsIn('I cannot. {"line": 2, "from"')).toEqual([]);
  });
});

describe("near misses that a model writes", () => {
  it("are asked for with the review, the code before and the revision, its new lines marked", async () => {
    const { prompts } = await written(completed(""));
    expect(prompts[0]).toContain("Only while open.");
    expect(prompts[0]).toContain("2     self.flush()\n");
    expect(prompts[0]).toContain("\n2 +     if self.is_open:\n3 +         self.flush()\n4       self.file.close()\n");
  });

  it("replace a text, leave a line out, or put one in", async () => {
    const { texts } = await written(
      completed(
        [
          '{"line": 2, "from": "self.is_open", "to": "self.file"}',
          '{"line": 3, "from": "        self.flush()", "to": ""}',
          '{"line": 4, "from": "", "to": "    self.flush()"}',
        ].join("\n"),
      ),
    );
    expect(texts.slice(0, 3)).toEqual([
      AFTER.replace("self.is_open", "self.file"),
      AFTER.replace("        self.flush()\n", ""),
      AFTER.replace("    self.file", "    self.flush()\n    self.file"),
    ]);
  });

  it("are shown to a check line by line, cost what it says of them, and are none where it takes them for right", async () => {
    const reply = completed(
      [
        '{"line": 2, "from": "is_open", "to": "is_new"}',
        '{"line": 3, "from": "        self.flush()", "to": ""}',
        '{"line": 4, "from": "", "to": "    self.flush()"}',
      ].join("\n"),
    );
    const { prompts, misses, texts } = await written(reply, "1 right\n2 odd\n3 beside");
    expect(prompts[1]).toContain(
      [
        '1. line 2: "    if self.is_open:" becomes "    if self.is_new:"',
        '2. line 3: "        self.flush()" becomes ""',
        '3. line 4: "    self.file.close()" becomes "    self.flush()\\n    self.file.close()"',
      ].join("\n"),
    );
    expect(texts[0]).toBe(AFTER.replace("        self.flush()\n", ""));
    expect(misses.map(({ kind, cost, isAsked }) => [kind, cost, isAsked])).toEqual([
      ["written", 2, true],
      ["written", 0.6, false],
      ["negation", expect.closeTo(2.4), true],
    ]);
    expect((await written(reply, "I would rather not.")).misses.map(({ kind }) => kind)).toEqual(["negation"]);
  });

  it("come before those that code and review tell", async () => {
    const { misses } = await written(completed('{"line": 2, "from": "is_open", "to": "is_new"}'));
    expect(misses.map(({ kind, cost, isAsked }) => [kind, cost, isAsked])).toEqual([
      ["written", 0, true],
      ["negation", expect.closeTo(2.4), true],
    ]);
  });

  it("are asked at a place that the revision introduces alone, not at its beginning because its end is new", async () => {
    const { misses } = await written(completed('{"line": 1, "from": "def close", "to": "def open"}'));
    expect(misses.map(({ isAsked }) => isAsked)).toEqual([false, true]);
  });

  it("are left out where they do not stand in the revision once, to the letter, at that line", async () => {
    const { misses } = await written(
      completed(
        [
          '{"line": 9, "from": "self", "to": "this"}',
          '{"line": 2, "from": "self.flush", "to": "self.open"}',
          '{"line": 2, "from": "s", "to": "t"}',
          '{"line": 2, "from": "is_open", "to": "is_open"}',
        ].join("\n"),
      ),
    );
    expect(misses.map(({ kind, cost }) => [kind, cost])).toEqual([["negation", 0.4]]);
  });

  it("of a prompt that the model does not answer are none; a model that cannot be reached ends the build", async () => {
    const { misses } = await written({ status: "failed", failure: "context_overflow", detail: "4 of 2" });
    expect(misses.map(({ kind }) => kind)).toEqual(["negation"]);
    for (const failure of ["refused", "bad_response", "thought_too_long"] as const)
      expect((await written({ status: "failed", failure, detail: "no" })).misses).toHaveLength(1);
    await expect(written({ status: "failed", failure: "unavailable", detail: "gone" })).rejects.toThrow(/the writer/);
  });
});
