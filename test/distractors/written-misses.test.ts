import { describe, expect, it } from "vitest";
import { loadPrompt } from "../../src/base/prompt-template.js";
import { diffHunk } from "../../src/dataset/hunk-diff.js";
import { areIndependent, type NearMiss, withMisses } from "../../src/distractors/near-miss/near-miss.js";
import { readRevision } from "../../src/distractors/near-miss/revision.js";
import { checkedMisses, checkIn } from "../../src/distractors/written-misses.js";
import type { CompletionReply } from "../../src/model/requests.js";

const BEFORE = "def close(self):\n    self.flush()\n    self.file.close()";
const AFTER = "def close(self):\n    if self.is_open:\n        self.flush()\n    self.file.close()";
/** `if not self.is_open`, as code and review tell it. */
const TOLD: NearMiss = { kind: "negation", edits: [{ start: 24, end: 24, to: "not " }], isAsked: true, cost: 0.4 };

const completed = (text: string): CompletionReply => ({
  status: "completed",
  text,
  tokens: 1,
  promptTokens: 1,
  durationMs: 1,
  end: "stop",
});

const NEW = '{"line": 2, "from": "is_open", "to": "is_new"}';
const GONE = '{"line": 3, "from": "        self.flush()", "to": ""}';
const TWICE = '{"line": 4, "from": "", "to": "    self.flush()"}';
/** Revisions with each, as a check is shown them. */
const SHOWN = {
  key: "2 -     self.flush()\n2 +     if self.is_open:\n3 +         self.flush()",
  new: "2 -     self.flush()\n2 +     if self.is_new:\n3 +         self.flush()",
  gone: "2 -     self.flush()\n2 +     if self.is_open:",
  twice: "2 +     if self.is_open:\n3 +         self.flush()",
  not: "2 -     self.flush()\n2 +     if not self.is_open:\n3 +         self.flush()",
  newTwice: "2 +     if self.is_new:\n3 +         self.flush()",
  newNot: "2 -     self.flush()\n2 +     if not self.is_new:\n3 +         self.flush()",
  notTwice: "2 +     if not self.is_open:\n3 +         self.flush()",
};
type Numbers = Readonly<Record<keyof typeof SHOWN, number>>;

/** The revisions that a check is shown, by their numbers. */
function revisionsIn(prompt: string): ReadonlyMap<number, string> {
  const [, all = ""] = /\[REVISIONS\]\n(.*)\n\[\/REVISIONS\]/s.exec(prompt) ?? [];
  const parts = all.split(/^(\d+)\.\n/m).slice(1);
  return new Map(parts.flatMap((part, i) => (i % 2 === 0 ? [[Number(part), parts[i + 1] ?? ""] as const] : [])));
}

/** What a check is shown, in order of its text. */
function shownIn(prompt = ""): string[] {
  return [...revisionsIn(prompt).values()].map((text) => text.trim()).sort();
}

/** Pairs of near misses that can be in a square, by what they put in. */
function independent(misses: readonly NearMiss[] | null): string[] {
  const all = misses ?? [];
  const name = ({ edits: [edit] }: NearMiss) => /\w+(?=\W*$)/.exec(edit?.to ?? "")?.[0] ?? "gone";
  return all.flatMap((a, i) =>
    all.slice(i + 1).flatMap((b) => (areIndependent(a, b) && areIndependent(b, a) ? `${name(a)} with ${name(b)}` : [])),
  );
}

/** What a check says, the first or a later one. */
type Words = (number: Numbers, check: number) => string | CompletionReply;

/** A check that takes the key for right, and the others for likely faults. */
const passed: Words = ({ key }) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((i) => (i === key ? `${i} right` : `${i} fault 5`)).join("\n");

/** What comes of replies to what is written, each time, and of a check that says of revisions what `words` does. */
async function written(
  replies: readonly (string | CompletionReply)[],
  words: Words = passed,
  { told = [TOLD], seed = 0 } = {},
) {
  const [preReviewLines, postReviewLines] = [BEFORE.split("\n"), AFTER.split("\n")];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python" as const, review: "Only while open.", preReviewLines, postReviewLines };
  const revision = await readRevision(triple, diff);
  const asked = { writes: [] as string[], checks: [] as string[] };
  const complete = ({ prompt }: { prompt: string }) => {
    if (prompt.includes("[WRITTEN BEFORE]")) {
      const reply = replies[asked.writes.push(prompt) - 1] ?? "";
      return Promise.resolve(typeof reply === "string" ? completed(reply) : reply);
    }
    asked.checks.push(prompt);
    const revisions = [...revisionsIn(prompt)];
    const numberOf = (shown: string) => revisions.find(([, text]) => text.trim() === shown)?.[0] ?? 0;
    const numbers = Object.fromEntries(Object.entries(SHOWN).map(([name, text]) => [name, numberOf(text)])) as Numbers;
    const reply = words(numbers, asked.checks.length);
    return Promise.resolve(typeof reply === "string" ? completed(reply) : reply);
  };
  const [write, check] = [await loadPrompt("dataset/near-misses"), await loadPrompt("dataset/near-miss-check")];
  const writer = { model: { complete }, write, check };
  const signal = new AbortController().signal;
  const misses = await checkedMisses(told, revision, { triple, writer, seed, signal });
  return { ...asked, misses, texts: misses?.map((miss) => withMisses(revision.text, [miss])) };
}

const facts = (misses: readonly NearMiss[] | null) => misses?.map(({ kind, cost, isAsked }) => [kind, cost, isAsked]);

describe("the reply to a check", () => {
  it("has a word and a likelihood behind the number of each revision, a line each", () => {
    const verdicts = checkIn("Here:\n1 fault 4\n2. beside, 1\n**3**: Right, it is\n4 fault\n5 fault 6\n6 wrong\n7");
    expect([...verdicts]).toEqual([
      [1, { isBeside: false, likelihood: 4 }],
      [2, { isBeside: true, likelihood: 1 }],
      [3, null],
    ]);
  });
});

describe("near misses that a model writes", () => {
  it("are asked for with the review, the code before and the revision, its new lines marked", async () => {
    const { writes } = await written([""]);
    expect(writes[0]).toContain("Only while open.");
    expect(writes[0]).toContain("2     self.flush()\n");
    expect(writes[0]).toContain("\n2 +     if self.is_open:\n3 +         self.flush()\n4       self.file.close()\n");
  });

  it("replace a text, leave a line out, or put one in", async () => {
    const { texts } = await written([[NEW, GONE, TWICE].join("\n")]);
    expect(texts?.slice(0, 3)).toEqual([
      AFTER.replace("is_open", "is_new"),
      AFTER.replace("        self.flush()\n", ""),
      AFTER.replace("    self.file", "    self.flush()\n    self.file"),
    ]);
  });

  it("are checked beside the told ones, the revision that was made among them, and nothing says which it is", async () => {
    const { checks } = await written([[NEW, TWICE].join("\n")]);
    const shown = [...revisionsIn(checks[0] ?? "").values()].map((text) => text.trim());
    expect(shown).toHaveLength(4);
    expect(shown).toEqual(expect.arrayContaining([SHOWN.key, SHOWN.new, SHOWN.twice, SHOWN.not]));
    const places = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
        const [prompt = ""] = (await written([NEW], passed, { seed })).checks;
        return [...revisionsIn(prompt).values()].findIndex((text) => text.trim() === SHOWN.key);
      }),
    );
    expect(new Set(places)).toEqual(new Set([0, 1, 2]));
  });

  it("cost what the check says of them, and are none where they are right, or hardly anybody would hand them in", async () => {
    const reply = [NEW, GONE, TWICE].join("\n");
    const words: Words = (of) =>
      `${of.key} right\n${of.new} fault 4\n${of.gone} beside 3\n${of.twice} fault 2\n${of.not} right`;
    expect(facts((await written([reply], words)).misses)).toEqual([
      ["written", 0.2, true],
      ["written", expect.closeTo(2.3), false],
    ]);
    const others: Words = (of) => `${of.key} right\n${of.new} fault 1\n${of.twice} beside 5\n${of.not} fault 3`;
    expect(facts((await written([reply], others)).misses)).toEqual([
      ["written", 1.5, false],
      ["negation", 0.8, true],
    ]);
  });

  it("are none of a revision whose key the check does not take for right", async () => {
    const { misses, checks } = await written([[NEW, TWICE].join("\n")], (of) => `${of.key} fault 3\n${of.new} right`);
    expect([misses, checks.length]).toEqual([null, 1]);
  });

  it("are the told ones as they are where the check says nothing of the key, of most, or to its end", async () => {
    const cut: Words = (of, check) => ({ ...completed(String(passed(of, check))), end: "length" });
    for (const words of [() => "No.", (of) => `${of.new} fault 5`, (of) => `${of.key} right`, cut] satisfies Words[])
      expect((await written([NEW], words)).misses).toEqual([TOLD]);
  });

  it("are checked once more in squares, beside the revisions with both of two", async () => {
    const { checks, misses } = await written([[NEW, TWICE].join("\n")]);
    expect(checks).toHaveLength(2);
    const { gone: _, ...others } = SHOWN;
    expect(shownIn(checks[1])).toEqual(Object.values(others).toSorted());
    expect(independent(misses)).toEqual(["is_new with flush", "is_new with not", "flush with not"]);
  });

  it("stand together in the squares alone whose revisions, with each and with both, the check holds", async () => {
    const held = async (second: Words) => {
      const words: Words = (of, check) => (check === 1 ? passed(of, check) : second(of, check));
      return independent((await written([[NEW, TWICE].join("\n")], words)).misses);
    };
    const but = (name: keyof Numbers, word: string) => held((of) => `${passed(of, 2) as string}\n${of[name]} ${word}`);
    for (const word of ["fault 1", "right"])
      expect(await but("newTwice", word)).toEqual(["is_new with not", "flush with not"]);
    expect(await but("newTwice", "fault 2")).toEqual(["is_new with flush", "is_new with not", "flush with not"]);
    for (const word of ["fault 1", "fault 2", "right"]) expect(await but("not", word)).toEqual(["is_new with flush"]);
    expect(await held((of) => `${of.key} right`)).toEqual(["is_new with flush", "is_new with not", "flush with not"]);
  });

  it("are those of the first squares, of less likely ones, where what is written later makes none", async () => {
    const words: Words = (of, check) =>
      [1, 2, 3, 4, 5, 6, 7]
        .map((i) => (i === of.key ? `${i} right` : `${i} fault ${{ 1: 3, 2: 2, 3: 3 }[check] ?? 1}`))
        .join("\n");
    const { writes, misses } = await written([NEW, GONE], words);
    expect(writes).toHaveLength(3);
    expect(independent(misses)).toEqual(["is_new with not"]);
  });

  it("are asked for again where what a check holds of squares is all beside what the review asks for", async () => {
    const words: Words = (of, check) =>
      [1, 2, 3, 4, 5, 6, 7]
        .map((i) => (i === of.key ? `${i} right` : `${i} ${check === 1 ? "fault" : "beside"} 4`))
        .join("\n");
    const { writes, misses } = await written([[NEW, TWICE].join("\n")], words);
    expect([writes.length, misses?.map(({ isAsked }) => isAsked)]).toEqual([2, [false, false, false]]);
  });

  it("are less likely ones in squares where no others come, each time that is written", async () => {
    const words: Words = (of, check) =>
      [1, 2, 3, 4, 5, 6, 7].map((i) => (i === of.key ? `${i} right` : `${i} fault ${check === 1 ? 3 : 2}`)).join("\n");
    const { writes, misses } = await written([[NEW, TWICE].join("\n")], words);
    expect(writes).toHaveLength(2);
    expect(independent(misses)).toEqual(["is_new with flush", "is_new with not", "flush with not"]);
    expect(facts(misses)).toEqual([
      ["written", 2, true],
      ["written", 2, true],
      ["negation", 2, true],
    ]);
  });

  it("are shown once where code and review tell the same, and not where they do not parse or change nothing", async () => {
    const same = '{"line": 2, "from": "if self", "to": "if not self"}';
    const broken = '{"line": 2, "from": "if self.is_open:", "to": "if (self.is_open:"}';
    const blank = '{"line": 4, "from": "self.file", "to": "self .file"}';
    const { checks, misses } = await written([[TWICE, same, broken, blank].join("\n")]);
    expect(revisionsIn(checks[0] ?? "").size).toBe(3);
    expect(misses?.map(({ kind }) => kind)).toEqual(["written", "written"]);
  });

  it("are asked for again where no two can be in a square, told what was written, and checked alone", async () => {
    const { writes, checks, misses } = await written([NEW, TWICE], passed, { told: [] });
    // The second reply, a check of what it has, one of the square.
    expect([writes.length, checks.length]).toEqual([2, 3]);
    expect(writes[0]).toContain("[WRITTEN BEFORE]\nnone\n");
    expect(writes[1]).toContain('[WRITTEN BEFORE]\nline 2: "    if self.is_open:" becomes "    if self.is_new:"\n[/');
    expect(shownIn(checks[1])).toEqual([SHOWN.key, SHOWN.twice].toSorted());
    expect(facts(misses)).toEqual([
      ["written", 0, true],
      ["written", 0, true],
    ]);
    const none = await written(["", ""], passed, { told: [] });
    expect([none.writes.length, none.checks.length, none.misses]).toEqual([1, 0, []]);
  });

  it("are those of the first check where a later one is not answered, or the model writes nothing more", async () => {
    const failed = { status: "failed", failure: "context_overflow", detail: "9 of 8" } as const;
    const first: Words = (of, check) =>
      check === 1 ? `${of.key} right\n${of.new} right\n${of.not} fault 4` : "I would rather not.";
    for (const replies of [[NEW, failed], [NEW, TWICE], [NEW]])
      expect(facts((await written(replies, first)).misses)).toEqual([["negation", 0.2, true]]);
  });

  it("are not shown again once they were turned down, alone or together", async () => {
    const words: Words = (of, check) =>
      `${passed(of, check) as string}\n${check === 1 ? `${of.new} right` : `${of.notTwice} fault 1`}`;
    const { checks, misses, writes } = await written([[NEW, TWICE].join("\n"), [NEW, GONE].join("\n")], words);
    expect(writes[1]).toContain('becomes "    if self.is_new:"');
    expect(checks.map(shownIn)).toEqual([
      [SHOWN.key, SHOWN.new, SHOWN.twice, SHOWN.not].toSorted(),
      [SHOWN.key, SHOWN.twice, SHOWN.not, SHOWN.notTwice].toSorted(),
      [SHOWN.key, SHOWN.gone].toSorted(),
      expect.not.arrayContaining([SHOWN.notTwice]),
    ]);
    expect(independent(misses)).toEqual(["flush with gone", "not with gone"]);
  });

  it("are asked at a place that the revision introduces alone, not at its beginning because its end is new", async () => {
    const { misses } = await written(['{"line": 1, "from": "def close", "to": "def open"}']);
    expect(misses?.map(({ isAsked }) => isAsked)).toEqual([false, true]);
  });

  it("are left out where they do not stand in the revision once, to the letter, at that line", async () => {
    const { misses } = await written([
      [
        '{"line": 9, "from": "self", "to": "this"}',
        '{"line": 2, "from": "self.flush", "to": "self.open"}',
        '{"line": 2, "from": "s", "to": "t"}',
        '{"line": 2, "from": "is_open", "to": "is_open"}',
      ].join("\n"),
    ]);
    expect(misses?.map(({ kind }) => kind)).toEqual(["negation"]);
  });

  it("of a prompt that the model does not answer are the told ones; a model that cannot be reached ends the build", async () => {
    const failed = (failure: "context_overflow" | "refused" | "bad_response" | "thought_too_long" | "unavailable") =>
      written([{ status: "failed", failure, detail: "no" }]);
    for (const failure of ["context_overflow", "refused", "bad_response", "thought_too_long"] as const)
      expect((await failed(failure)).misses).toEqual([TOLD]);
    await expect(failed("unavailable")).rejects.toThrow(/the writer/);
  });
});
