import { describe, expect, it } from "vitest";
import { loadPromptsIn } from "../../src/base/prompt-template.js";
import { diffHunk } from "../../src/dataset/hunk-diff.js";
import { areIndependent, type NearMiss, withMisses } from "../../src/distractors/near-miss/near-miss.js";
import { readRevision } from "../../src/distractors/near-miss/revision.js";
import { checkedMisses } from "../../src/distractors/written-misses.js";
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
type Labels = Readonly<Record<keyof typeof SHOWN, string>>;

/** The revisions that a check or a question shows, by their numbers or letters. */
function revisionsIn(prompt: string): ReadonlyMap<string, string> {
  const [, all = ""] = /\[REVISIONS\]\n(.*)\n\[\/REVISIONS\]/s.exec(prompt) ?? [];
  const parts = all.split(/^(\d+|[A-D])\.\n/m).slice(1);
  return new Map(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, (parts[i + 1] ?? "").trim()] as const] : [])));
}

/** What a check or a question shows, in order of its text. */
function shownIn(prompt = ""): string[] {
  return [...revisionsIn(prompt).values()].sort();
}

/** Pairs of near misses that can be in a square, by what they put in. */
function independent(misses: readonly NearMiss[] | null): string[] {
  const all = misses ?? [];
  const name = ({ edits: [edit] }: NearMiss) => /\w+(?=\W*$)/.exec(edit?.to ?? "")?.[0] ?? "gone";
  return all.flatMap((a, i) =>
    all.slice(i + 1).flatMap((b) => (areIndependent(a, b) && areIndependent(b, a) ? `${name(a)} with ${name(b)}` : [])),
  );
}

/** What a check or a question is answered by, the first or a later one. */
type Words = (of: Labels, time: number) => string | CompletionReply;

/** A check that takes the key for right, and the others for likely faults. */
const passed: Words = ({ key }) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((i) => (`${i}` === key ? `${i} right` : `${i} fault 5`)).join("\n");

/** An answer as keyed, but for what is said of some options, and of the question. */
const answered =
  (but: Partial<Record<keyof typeof SHOWN, string>> = {}, question = "clear"): Words =>
  (of) => {
    const word = new Map(Object.entries(but).map(([name, own]) => [of[name as keyof Labels], own]));
    return (
      ["A", "B", "C", "D"].map((i) => `${i} ${word.get(i) ?? (i === of.key ? "made" : "wrong")}`).join("\n") +
      `\n${question}`
    );
  };

/** What comes of replies to what is written, each time, and of what a check says of revisions and a question is answered by. */
async function written(
  replies: readonly (string | CompletionReply)[],
  words: Words = passed,
  { told = [TOLD], seed = 0, answer = answered() } = {},
) {
  const [preReviewLines, postReviewLines] = [BEFORE.split("\n"), AFTER.split("\n")];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python" as const, review: "Only while open.", preReviewLines, postReviewLines };
  const revision = await readRevision(triple, diff);
  const asked = { writes: [] as string[], checks: [] as string[], questions: [] as string[] };
  const complete = ({ prompt }: { prompt: string }) => {
    if (prompt.includes("[WRITTEN BEFORE]")) {
      const reply = replies[asked.writes.push(prompt) - 1] ?? "";
      return Promise.resolve(typeof reply === "string" ? completed(reply) : reply);
    }
    const isCheck = prompt.startsWith("You check");
    const time = asked[isCheck ? "checks" : "questions"].push(prompt);
    const revisions = [...revisionsIn(prompt)];
    const labelOf = (shown: string) => revisions.find(([, text]) => text === shown)?.[0] ?? "0";
    const labels = Object.fromEntries(Object.entries(SHOWN).map(([name, text]) => [name, labelOf(text)])) as Labels;
    const reply = (isCheck ? words : answer)(labels, time);
    return Promise.resolve(typeof reply === "string" ? completed(reply) : reply);
  };
  const names = ["near-misses", "near-miss-check", "near-miss-question"] as const;
  const prompts = await loadPromptsIn("dataset", names);
  const [write, check, question] = [prompts["near-misses"], prompts["near-miss-check"], prompts["near-miss-question"]];
  const writer = { model: { complete }, write, check, question };
  const signal = new AbortController().signal;
  const misses = await checkedMisses(told, revision, { triple, writer, seed, signal });
  return { ...asked, misses, texts: misses?.map((miss) => withMisses(revision.text, [miss])) };
}

const facts = (misses: readonly NearMiss[] | null) => misses?.map(({ kind, cost, isAsked }) => [kind, cost, isAsked]);

describe("near misses that a model writes", () => {
  it("are asked for with the review, the code before and the revision, its new lines marked", async () => {
    const { writes } = await written([""]);
    expect(writes[0]).toContain("Only while open.");
    expect(writes[0]).toContain("2     self.flush()\n");
    expect(writes[0]).toContain("\n2 +     if self.is_open:\n3 +         self.flush()\n4       self.file.close()\n");
  });

  it("replace a text, leave a line out, put one in, or change how deep one stands", async () => {
    const out = '{"line": 3, "from": "        self.flush()", "to": "    self.flush()"}';
    const { checks } = await written([[NEW, GONE, TWICE, out].join("\n")], passed, { told: [] });
    const flushed = "2 +     if self.is_open:";
    expect(shownIn(checks[0])).toEqual([SHOWN.key, SHOWN.new, SHOWN.gone, SHOWN.twice, flushed].toSorted());
  });

  it("are checked beside the told ones, the revision that was made among them, and nothing says which it is", async () => {
    const { checks } = await written([[NEW, TWICE].join("\n")]);
    expect(shownIn(checks[0])).toEqual([SHOWN.key, SHOWN.new, SHOWN.twice, SHOWN.not].toSorted());
    const places = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
        const [prompt = ""] = (await written([NEW], passed, { seed })).checks;
        return [...revisionsIn(prompt).values()].indexOf(SHOWN.key);
      }),
    );
    expect(new Set(places)).toEqual(new Set([0, 1, 2]));
  });

  it("cost what the check says of them, and are none where they are right, or nobody would hand them in", async () => {
    const reply = [NEW, GONE, TWICE].join("\n");
    const words: Words = (of) =>
      `${of.key} right\n${of.new} fault 4\n${of.gone} beside 3\n${of.twice} fault 1\n${of.not} right`;
    expect(facts((await written([reply], words)).misses)).toEqual([
      ["written", 0.2, true],
      ["written", expect.closeTo(2.8), false],
    ]);
    const others: Words = (of) => `${of.key} right\n${of.new} right\n${of.twice} beside 5\n${of.not} fault 2`;
    expect(facts((await written([reply], others)).misses)).toEqual([
      ["written", 2, false],
      ["negation", 2, true],
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

  it("are tried in the questions of squares, each asked by itself in a drawn order, nothing saying which option is right", async () => {
    const { questions, misses } = await written([[NEW, TWICE].join("\n")]);
    const { key, new: own, twice, not, newTwice, newNot, notTwice } = SHOWN;
    expect(questions.map(shownIn).toSorted()).toEqual(
      [
        [key, own, not, newNot],
        [key, own, twice, newTwice],
        [key, not, twice, notTwice],
      ]
        .map((options) => options.toSorted())
        .toSorted(),
    );
    expect(independent(misses)).toEqual(["is_new with flush", "is_new with not", "flush with not"]);
    const asked = [1, 2, 3, 4, 5, 6].map(async (seed) => (await written([NEW], passed, { seed })).questions[0] ?? "");
    const places = (await Promise.all(asked)).map((prompt) => [...revisionsIn(prompt).values()].indexOf(key));
    expect(new Set(places).size).toBeGreaterThan(2);
  });

  it("stand together in the squares alone whose question is answered as keyed, no other option held for defensible or odd", async () => {
    const held = async (answer: Words) =>
      independent((await written([[NEW, TWICE].join("\n")], passed, { answer })).misses);
    for (const word of ["odd", "defensible"]) {
      expect(await held(answered({ newTwice: word }))).toEqual(["is_new with not", "flush with not"]);
      expect(await held(answered({ new: word }))).toEqual(["flush with not"]);
    }
    const instead: Words = (of, time) => answered(of.not === "0" ? {} : { key: "wrong", not: "made" })(of, time);
    expect(await held(instead)).toEqual(["is_new with flush"]);
    const once: Words = (of, time) => (of.newNot === "0" ? answered()(of, time) : "A made\nB wrong");
    expect(await held(once)).toEqual(["is_new with flush", "flush with not"]);
    expect(await held(answered({ key: "defensible" }))).toEqual([]);
    for (const word of ["open", "done"]) {
      const unclear: Words = (of, time) => answered({}, of.newTwice === "0" ? "clear" : word)(of, time);
      expect(await held(unclear)).toEqual(["is_new with not", "flush with not"]);
    }
  });

  it("are none of a revision that has to be guessed in most of the questions", async () => {
    const { misses, questions } = await written([[NEW, TWICE].join("\n")], passed, { answer: answered({}, "open") });
    expect([misses, questions.length]).toEqual([null, 3]);
  });

  it("are none of a revision of which no question is answered", async () => {
    const cut: Words = (of, time) => ({ ...completed(String(answered()(of, time))), end: "length" });
    for (const answer of [() => "I would rather not.", cut]) {
      const { writes, questions, misses } = await written([[NEW, TWICE].join("\n")], passed, { answer });
      expect([writes.length, questions.length, misses]).toEqual([1, 3, null]);
    }
  });

  it("are tried in other squares, three at a time, until one is held for each difficulty", async () => {
    const faults = [NEW, '{"line": 1, "from": "close", "to": "stop"}', '{"line": 3, "from": "flush", "to": "sync"}'];
    const reply = [...faults, '{"line": 4, "from": "file", "to": "log"}'].join("\n");
    const asked = async (answer: Words) => (await written([reply], passed, { told: [], answer })).questions.length;
    expect(await asked(answered())).toBe(3);
    // Of six pairs one is of two places that the review does not ask about.
    expect(await asked((of) => answered({ key: "wrong" })(of, 1))).toBe(5);
  });

  it("are asked for again where no question is held, three times at most", async () => {
    const { writes, checks, misses } = await written([NEW, GONE, TWICE, ""], passed, {
      answer: answered({ key: "wrong" }),
    });
    expect([writes.length, checks.length, misses]).toEqual([3, 3, []]);
  });

  it("that hardly anybody would do, or beside what the review asks for, are tried where all that is written makes no other square", async () => {
    for (const [first, second] of [
      ["fault 4", "beside 3"],
      ["fault 5", "fault 2"],
    ]) {
      const words: Words = (of) =>
        `${of.key} right\n${of.new} ${first}\n${of.not} right\n${of.gone} fault 1\n${of.twice} ${second}`;
      const { writes, questions, misses } = await written([[NEW, TWICE].join("\n"), GONE], words);
      const square = [SHOWN.key, SHOWN.new, SHOWN.twice, SHOWN.newTwice].toSorted();
      expect([writes.length, questions.map(shownIn)]).toEqual([3, [square]]);
      expect(independent(misses)).toEqual(["is_new with flush"]);
    }
  });

  it("are asked for again where all that a check leaves is beside what the review asks for", async () => {
    const words: Words = (of) =>
      [1, 2, 3, 4, 5].map((i) => (`${i}` === of.key ? `${i} right` : `${i} beside 4`)).join("\n");
    const { writes, questions, misses } = await written([[NEW, TWICE].join("\n")], words);
    expect([writes.length, questions.length, misses]).toEqual([2, 0, []]);
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
    const { writes, checks, questions, misses } = await written([NEW, TWICE], passed, { told: [] });
    expect([writes.length, checks.length, questions.length]).toEqual([2, 2, 1]);
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

  it("are none where a later check is not answered, or the model writes nothing more, and no square was held", async () => {
    const failed = { status: "failed", failure: "context_overflow", detail: "9 of 8" } as const;
    const first: Words = (of, check) =>
      check === 1 ? `${of.key} right\n${of.new} right\n${of.not} fault 4` : "I would rather not.";
    for (const replies of [[NEW, failed], [NEW, TWICE], [NEW]])
      expect((await written(replies, first)).misses).toEqual([]);
  });

  it("are not shown again once they were turned down, alone or in a question", async () => {
    const words: Words = (of, check) => `${passed(of, check) as string}\n${check === 1 ? `${of.new} right` : ""}`;
    const answer = answered({ notTwice: "odd" });
    const { checks, questions, misses, writes } = await written(
      [[NEW, TWICE].join("\n"), [NEW, GONE].join("\n")],
      words,
      { answer },
    );
    expect(writes[1]).toContain('becomes "    if self.is_new:"');
    expect(checks.map(shownIn)).toEqual([
      [SHOWN.key, SHOWN.new, SHOWN.twice, SHOWN.not].toSorted(),
      [SHOWN.key, SHOWN.gone].toSorted(),
    ]);
    expect(questions.map(shownIn).filter((options) => options.includes(SHOWN.notTwice))).toHaveLength(1);
    expect(independent(misses)).toEqual(["flush with gone", "not with gone"]);
  });

  it("are asked at a place that the revision introduces alone, not at its beginning because its end is new", async () => {
    const { misses } = await written(['{"line": 1, "from": "def close", "to": "def open"}']);
    expect(misses?.map(({ isAsked }) => isAsked)).toEqual([false, true]);
  });

  it("are left out where they do not stand in the revision once, to the letter, at that line", async () => {
    const { checks } = await written([
      [
        '{"line": 9, "from": "self", "to": "this"}',
        '{"line": 2, "from": "self.flush", "to": "self.open"}',
        '{"line": 2, "from": "s", "to": "t"}',
        '{"line": 2, "from": "is_open", "to": "is_open"}',
      ].join("\n"),
    ]);
    expect(shownIn(checks[0])).toEqual([SHOWN.key, SHOWN.not].toSorted());
  });

  it("of a prompt that the model does not answer are the told ones; a model that cannot be reached ends the build", async () => {
    const failed = (failure: "context_overflow" | "refused" | "bad_response" | "thought_too_long" | "unavailable") =>
      written([{ status: "failed", failure, detail: "no" }]);
    for (const failure of ["context_overflow", "refused", "bad_response", "thought_too_long"] as const)
      expect((await failed(failure)).misses).toEqual([TOLD]);
    await expect(failed("unavailable")).rejects.toThrow(/the writer/);
  });
});
