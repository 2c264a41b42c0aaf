import { distance } from "fastest-levenshtein";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { DIFFICULTIES } from "../../../src/dataset/example.js";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { type NearMiss, withMisses } from "../../../src/distractors/near-miss/near-miss.js";
import { readRevision } from "../../../src/distractors/near-miss/revision.js";
import { explained, nearMissesOf, solutionChoices } from "../../../src/distractors/near-miss/solution-choices.js";
import { loadSyntax } from "../../../src/syntax/load.js";

interface Change {
  readonly before: string;
  readonly after: string;
  readonly language?: Language;
  readonly review?: string;
}

function given({ before, after, language = "python", review = "Not there." }: Change) {
  const [preReviewLines, postReviewLines] = [before.split("\n"), after.split("\n")];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  return { triple: { id: "t", language, review, preReviewLines, postReviewLines }, diff };
}

/** Cost of the near miss that makes a text of a change; `null`: none does. */
async function costOf(change: Change, made: string): Promise<number | null> {
  const { triple, diff } = given(change);
  const revision = await readRevision(triple, diff);
  return nearMissesOf(revision).find((miss) => withMisses(revision.text, [miss]) === made)?.cost ?? null;
}

/** Revisions with one near misses each, of a kind. */
async function revisionsBy(kind: NearMiss["kind"], change: Change): Promise<string[]> {
  const { triple, diff } = given(change);
  const revision = await readRevision(triple, diff);
  return nearMissesOf(revision)
    .filter((miss) => miss.kind === kind)
    .map((miss) => withMisses(revision.text, [miss]));
}

const JS = { language: "javascript" } as const;
const TWO_EDITS = {
  before: "def take(first, items):\n    if items:\n        return first\n    return items",
  after: "def take(first, items):\n    if not items:\n        return items\n    return max(items)",
};

describe("near misses of a revision", () => {
  it("put one of two changed lines back", async () => {
    const made = await revisionsBy("put_back", {
      before: "a = 1\nopen_file(path)\nclose_file(path)",
      after: "a = 1\nopen_stream(path)\nclose_stream(path)",
    });
    expect(made).toContain("a = 1\nopen_file(path)\nclose_stream(path)");
    expect(made).toContain("a = 1\nopen_stream(path)\nclose_file(path)");
  });

  it("put nothing back where it is all that changed", async () => {
    expect(await revisionsBy("put_back", { before: "x = a", after: "x = b" })).toEqual([]);
  });

  it("make the change elsewhere, or there as well", async () => {
    const change = { before: "draw(x, y)\nmove(y)", after: "draw(x, x)\nmove(y)" };
    expect(await revisionsBy("elsewhere", change)).toContain("draw(x, y)\nmove(x)");
    expect(await revisionsBy("everywhere", change)).toContain("draw(x, x)\nmove(x)");
  });

  it("take the opposite of a word of a name, and of a constant of the language", async () => {
    const change = { before: "f(items)", after: "f(items.first_key, True)" };
    const made = await revisionsBy("opposite", change);
    expect(made).toEqual(
      expect.arrayContaining(["f(items.last_key, True)", "f(items.first_value, True)", "f(items.first_key, False)"]),
    );
  });

  it("take no word that the language does not have for one that it has", async () => {
    // `float` is Python's own, `double` is not.
    const made = await revisionsBy("opposite", { before: "x = y", after: "x = float(y)" });
    expect(made.filter((text) => text.includes("double"))).toEqual([]);
  });

  it("leave out another item of a list", async () => {
    const made = await revisionsBy("other_left_out", { before: "f(left, right, top)", after: "f(left, top)" });
    expect(made.sort()).toEqual(["f(left, right)", "f(right, top)"]);
  });

  it("leave out another argument or modifier than the one that was left out", async () => {
    // `, c` is put back at the bracket, and another piece of the line goes: the first two arguments, a modifier, a call.
    const change = { before: "const v = f(a, b, c).g();", after: "const v = f(a, b, c);" } as const;
    const made = await revisionsBy("other_left_out", { ...change, language: "javascript" });
    expect(made).toContain("const v = f(b, c).g();");
    expect(made).toContain("v = f(a, b, c).g();");
  });

  it("put one of several pieces back that were put in or left out alone", async () => {
    const made = await revisionsBy("put_back", { before: "x = f(a).g(b)", after: "x = f(a, c).g()" });
    expect(made).toContain("x = f(a, c).g(b)");
  });

  it("take a singular for a plural that the review gives", async () => {
    const change = { before: "read(name)", after: "read(all_names)", review: "Read all names." };
    expect(await revisionsBy("made_name", change)).toContain("read(all_name)");
    expect(await revisionsBy("made_name", { ...change, review: "Read more." })).not.toContain("read(all_name)");
  });

  it("move the lines beside added ones, in one block of code alone, and no imports", async () => {
    const made = await revisionsBy("place", {
      before: "a()\nb(xs)\nd(xs)\ne()",
      after: "a()\nb(xs)\nc(xs)\nd(xs)\ne()",
    });
    expect(made.sort()).toEqual(["a()\nb(xs)\nd(xs)\nc(xs)\ne()", "a()\nc(xs)\nb(xs)\nd(xs)\ne()"]);
    const imports = { before: "import a\nimport b\nx()", after: "import a\nimport c\nimport b\nx()" };
    expect(await revisionsBy("place", imports)).toEqual([]);
    const inBlock = { before: "f(\n  ab\n)\ng(ab)\nh()", after: "f(\n  ab\n)\nc(ab)\ng(ab)\nh()" };
    expect(await revisionsBy("place", inBlock)).toEqual(["f(\n  ab\n)\ng(ab)\nc(ab)\nh()"]);
    // Two that have no name in common may stand in either order; behind a return nothing is done.
    const apart = { before: "fp.close()\nreturn io", after: "release(raw)\nfp.close()\nreturn io" };
    expect(await revisionsBy("place", apart)).toEqual([]);
    const left = { before: "a()\nreturn io\nb()", after: "a()\nrelease(raw)\nreturn io\nb()" };
    expect(await revisionsBy("place", left)).toEqual(["a()\nreturn io\nrelease(raw)\nb()"]);
  });

  it("are none that are as right: other modifiers, numbers that nothing tells, bounds that nothing is about", async () => {
    const none = async (kind: NearMiss["kind"], change: Change) => expect(await revisionsBy(kind, change)).toEqual([]);
    const some = async (kind: NearMiss["kind"], change: Change, text: string) =>
      expect(await revisionsBy(kind, change)).toContain(text);
    const js = { before: "f(x);", after: "const y = f(x, z);", language: "javascript" } as const;
    await none("opposite", js);
    await some("opposite", { ...js, review: "Make it const." }, "let y = f(x, z);");
    const timeout = { before: "open(host)", after: "open(host, 5)" };
    await none("number", timeout);
    await some("number", { ...timeout, review: "Five seconds will do." }, "open(host, 6)");
    await some("number", { before: "x = ms", after: "x = f(ms * 1000)" }, "x = f(ms * 100)");
    await some("number", { before: "x = last(a)", after: "x = a[n - 1]" }, "x = a[n - 2]");
    const cut = { before: "if old(n):\n  pass", after: "if n > most:\n  pass" };
    expect(await revisionsBy("operator", cut)).toEqual(["if n < most:\n  pass"]);
    await some("operator", { ...cut, review: "Is the last one in?" }, "if n >= most:\n  pass");
  });

  it("are none in comments where the change is one of code, nor pieces that come apart", async () => {
    const change = { before: "# reads one\nf(a)", after: "# reads each\nf(b)" };
    expect(await revisionsBy("put_back", change)).not.toContain("# reads one\nf(b)");
    expect(await revisionsBy("put_back", { ...change, review: "The comment is wrong." })).toContain(
      "# reads one\nf(b)",
    );
    const made = {
      before: "x = new Decoder(size);\ny = f();",
      after: "x = std::make_unique<Decoder>(size);\ny = g();",
      language: "cpp",
    } as const;
    expect((await revisionsBy("put_back", made)).map((text) => text.split("\n")[0])).not.toContain(
      "x = newDecoder>(size);",
    );
    // `image.close()` was a line of its own: nobody writes it behind another.
    const lines = { before: "x = read(a)\nimage.close()", after: "x = read(b, c)" };
    expect((await revisionsBy("put_back", lines)).filter((text) => text.includes("close"))).toEqual([]);
    const piece = { before: "@param string $key", after: "@param string|null $key" };
    const inComment = {
      before: `/** ${piece.before} */\nf($a);`,
      after: `/** ${piece.after} */\nf($b);`,
      language: "php",
      review: "This comment should be `string|null`.",
    } as const;
    expect(await revisionsBy("put_back", inComment)).toContain("/** @param string $key */\nf($b);");
  });

  it("leave out a call or an assignment near the changed line, no header and no return", async () => {
    const change = {
      before: "int f() {\n  a();\n  b(1);\n  return x;",
      after: "int f() {\n  a();\n  b(2);\n  return x;",
    };
    expect(await revisionsBy("removed_too", { ...change, language: "c" })).toEqual(["int f() {\n  b(2);\n  return x;"]);
  });

  it("take no comparison for a bracket, no package for its opposite, and no variable for one that is not there", async () => {
    const change = { before: "log.info(base, Map<K>)", after: "log.info(base, Map<V>)", language: "java" } as const;
    const made = [...(await revisionsBy("operator", change)), ...(await revisionsBy("opposite", change))];
    expect(made.filter((text) => !text.startsWith("log.") || !text.includes("base, Map<V>"))).toEqual([]);
  });

  it("turn a condition", async () => {
    expect(await revisionsBy("negation", TWO_EDITS)).toEqual([TWO_EDITS.after.replace("not ", "")]);
  });

  it("leave no line out that opens a block, and none that is all of it", async () => {
    const made = await revisionsBy("dropped", { before: "a()", after: "a()\nif b:\n    c()\n    d()" });
    expect(made).toEqual(["a()\nif b:\n    d()", "a()\nif b:\n    c()"]);
    expect(await revisionsBy("dropped", { before: "a()", after: "a()\nif b:\n    c()" })).toEqual([]);
  });

  it("leave standing no line from within a block that is gone", async () => {
    const change = { before: "a()\nif b:\n    c()\n    d()\ne()\nf()", after: "a()\nf()" };
    expect(await revisionsBy("kept", change)).toEqual(["a()\ne()\nf()"]);
  });

  it("are asked at no line that only changed its place or depth", async () => {
    const change = { before: "a()\nif x == 1:\n    b()", after: "if ok:\n    if x == 1:\n        b()\na()" };
    const { triple, diff } = given(change);
    const misses = nearMissesOf(await readRevision(triple, diff)).filter(({ kind }) => kind === "operator");
    expect(misses.map(({ isAsked }) => isAsked)).toEqual([false]);
  });

  it("turn or halve a condition, leave a sign or modifier out, and end a loop too early", async () => {
    const guarded = { before: "if (a) { f(); }", after: "if (a && b.c) { f(); }", language: "javascript" } as const;
    expect(await revisionsBy("guard", guarded)).toEqual(["if (b.c) { f(); }", "if (a) { f(); }"]);
    expect(await revisionsBy("negation", guarded)).toEqual([]);
    const whole = { before: "if (a) { f(); }", after: "if (b.c) { f(); }", language: "javascript" } as const;
    expect(await revisionsBy("negation", whole)).toEqual(["if (!b.c) { f(); }"]);
    const within = { before: "if x in y:\n    f()", after: "if x not in z:\n    f()" };
    expect(await revisionsBy("negation", within)).toEqual(["if x in z:\n    f()"]);
    const read = { before: "x", after: "func f(s *State) *Log {", language: "go" } as const;
    expect(await revisionsBy("marker", read)).toEqual(["func f(s State) *Log {", "func f(s *State) Log {"]);
    const loop = {
      before: "for (int i = 0; i < m; i++)",
      after: "for (int i = 0; i < n; i++)",
      language: "java",
    } as const;
    expect(await revisionsBy("bound", loop)).toEqual(["for (int i = 0; i < n - 1; i++)"]);
    const text = { before: "x = a", after: 'x = "for i in range(n)"' };
    expect(await revisionsBy("bound", text)).toEqual([]);
  });

  it("return no error, and leave the last argument out", async () => {
    const change = { before: "return err", after: "return wrap(a, b), err", language: "go" } as const;
    expect(await revisionsBy("returned", change)).toEqual(["return wrap(a, b), nil"]);
    expect(await revisionsBy("shorter", change)).toEqual(["return wrap(a), err", "return wrap(b), err"]);
  });

  it("spell a name that the review gives otherwise, in a style that the code has, and no other name", async () => {
    const change = { before: "old_name(x)\nf()", after: "old_name(x)\nreadAll()", review: "Use readAll." };
    expect(await revisionsBy("spelling", change)).toEqual(["old_name(x)\nread_all()"]);
    expect(await revisionsBy("spelling", { ...change, review: "No." })).toEqual([]);
    // In Go names of one sort begin with either case: with a capital they are exported.
    const inGo = { ...change, before: "other(x)\nf()", after: "other(x)\nreadAll()", language: "go" } as const;
    expect(await revisionsBy("spelling", inGo)).toEqual(["other(x)\nReadAll()"]);
  });

  it("spell a word wrong that the revision mends, and none that only ends otherwise", async () => {
    // `automaticly` and `automatically` differ in two letters.
    const mended = { before: "# done automaticly", after: "# done automatically" };
    expect(await revisionsBy("spelling", mended)).toContain("# done automaticaly");
    expect(await revisionsBy("spelling", { before: "# server called", after: "# server calling" })).toEqual([]);
  });

  it("leave an argument, a condition or a call standing before what took its place", async () => {
    const both = (before: string, after: string) => revisionsBy("both", { ...JS, before, after });
    expect(await both("f(a, old.name, c);", "f(a, fresh, c);")).toEqual(["f(a, old.name, fresh, c);"]);
    expect(await both("if (isOld) { f(); }", "if (isNew) { f(); }")).toEqual(["if (isOld && isNew) { f(); }"]);
    expect(await both("x = all.first().name;", "x = all.last().name;")).toEqual(["x = all.first().last().name;"]);
    expect(await both("x = a + old;", "x = a + fresh;")).toEqual([]);
    expect(await revisionsBy("both", { before: "# reads old\nf()", after: "# reads new\nf()" })).toEqual([]);
  });

  it("leave an import, an entry or a value standing beside what takes its place, no name twice and no end of brackets", async () => {
    const kept = (before: string, after: string) =>
      revisionsBy("kept", { ...JS, before: `${before}\nf();`, after: `${after}\nf();` });
    expect(await kept('import a from "a";', 'import b from "b";')).toHaveLength(1);
    expect(await kept("  old: 1,", "  fresh: 1,")).toEqual(["  old: 1,\n  fresh: 1,\nf();"]);
    expect(await kept("x.old = 1;", "x.fresh = 1;")).toEqual(["x.old = 1;\nx.fresh = 1;\nf();"]);
    expect(await kept("  one: 1,", "  one: 2,")).toEqual([]);
    expect(await kept("  g(1) + 2)", "  g(2))")).toEqual([]);
  });

  it("cost more where strangers said that nobody would write them", async () => {
    const code = "f(item_id, item_count, path)";
    const name = { before: `${code}\ng(x)`, after: `${code}\ng(item_name)` };
    // A name that begins or ends alike is taken for another sooner than any other, and than what something is asked of.
    const alike = (await costOf(name, `${code}\ng(item_count)`)) ?? Number.NaN;
    expect(await costOf(name, `${code}\ng(path)`)).toBeGreaterThan(alike);
    const asked = { before: `${code}\ng(x)`, after: `${code}\ng(item_name.size)` };
    expect(await costOf(asked, `${code}\ng(item_count.size)`)).toBeGreaterThan(alike);
    // A name that the review spells is copied.
    const made = { before: "x = a", after: "x = view_changed_signal" };
    const words = await costOf({ ...made, review: "Use the signal of a changed view." }, "x = view_signal");
    const spelt = await costOf({ ...made, review: "Use view_changed_signal." }, "x = view_signal");
    expect(spelt).toBeGreaterThan(words ?? Number.NaN);
  });

  it("leave a call of another name or a comment standing beside the new one", async () => {
    const call = { before: "f(x);\nold(x);", after: "f(x);\nfresh(x);", language: "c" } as const;
    expect(await revisionsBy("kept", call)).toEqual(["f(x);\nold(x);\nfresh(x);"]);
    const note = { before: "f(x)\n# the old note\ng(x)", after: "f(x)\n# the new note\ng(x)" };
    expect(await revisionsBy("kept", note)).toEqual(["f(x)\n# the old note\n# the new note\ng(x)"]);
  });

  it("take types for types of the same kind, and no parameter's place where the code does not parse", async () => {
    const types = {
      before: "List<A> a = f();\nMap<A, B> b = g();\nWidget w;",
      after: "List<A> a = f();\nMap<A, B> b = g();\nSet<A> w;",
      language: "java",
    } as const;
    const made = await revisionsBy("name", types);
    expect(made).toContain("List<A> a = f();\nMap<A, B> b = g();\nList<A> w;");
    expect(made.filter((text) => /(?:Map|Widget)<A> w/.test(text))).toEqual([]);
    // Outside of a class `public function` is an error, and the parameters are taken for arguments.
    const method = (type: string) => `public function f(string $a, array $b = []): ${type}\n{`;
    expect(await revisionsBy("arguments", { before: method("A"), after: method("B"), language: "php" })).toEqual([]);
  });

  it("put no piece of a sentence back that was written anew", async () => {
    const few = { before: "# reads one file\nf()", after: "# reads each file at once\nf()" };
    expect(await revisionsBy("put_back", few)).toContain("# reads one file at once\nf()");
    const end = {
      before: "# reads the status of a file\nf()",
      after: "# reads the status\nf()",
      review: "Only the status.",
    };
    const made = await revisionsBy("put_back", end);
    expect(made).toContain("# reads the status file\nf()");
    expect(made.filter((text) => /status\w/.test(text))).toEqual([]);
    const many = { before: "# reads a file of one set now\nf()", after: "# takes a file from one set then\nf()" };
    expect(await revisionsBy("put_back", many)).toEqual([]);
  });

  it("leave out the last member of a value, and a word of a name that the review gives", async () => {
    const value = { before: "f(a)", after: "f(a.data.items)" };
    expect(await revisionsBy("shorter", value)).toEqual(["f(a.data)"]);
    const name = { before: "x = a", after: "x = view_changed_signal", review: "Use view_changed_signal." };
    expect(await revisionsBy("made_name", name)).toEqual(["x = view_signal", "x = view_changed"]);
  });

  it("take nobody's damage: no sum of texts turned, no value that is needed left out, no log's order changed", async () => {
    const joined = { before: 'x = "a"', after: 'x = "a" + name', language: "javascript" } as const;
    expect(await revisionsBy("operator", joined)).toEqual([]);
    const needed = { before: "a = 1\nf(a, 1)", after: "a = 1\nf(a, 2)" };
    expect(await revisionsBy("removed_too", needed)).toEqual([]);
    const logged = { before: "log.warn(a, b)", after: "log.warn(a, c)" };
    expect(await revisionsBy("arguments", logged)).toEqual([]);
  });

  it("take no name that is given there: any would do", async () => {
    const made = await revisionsBy("name", { before: "a = f(b)\nc = g(b)", after: "a = f(b)\nd = g(b)" });
    expect(made.filter((text) => !text.includes("d = "))).toEqual([]);
  });
});

/** Choices of a revision, and what they are made of. */
async function choicesOf(change: Change, seed: number) {
  const { triple, diff } = given(change);
  const revision = await readRevision(triple, diff);
  return { triple, diff, revision, choices: solutionChoices(nearMissesOf(revision), revision, triple, seed) };
}

describe("solutionChoices", () => {
  it("hold the right revision, each near miss alone and both, all different and none worse to parse", async () => {
    const { triple, diff, choices } = await choicesOf(TWO_EDITS, 1);
    const syntax = await loadSyntax("python");
    const squares = DIFFICULTIES.flatMap((difficulty) => choices?.[difficulty].squares ?? []);
    expect(squares.length).toBeGreaterThan(3);
    for (const { solutions, misses } of squares) {
      expect(solutions[0]).toBe(diff.solution);
      expect(new Set(solutions).size).toBe(4);
      expect(misses.some(({ isAsked }) => isAsked)).toBe(true);
      const both = withMisses(TWO_EDITS.after, misses);
      expect(syntax.parse(both).errors).toBe(0);
      expect(diffHunk(triple.preReviewLines, both.split("\n"))?.solution).toBe(solutions[3]);
    }
  });

  it("are of either difficulty, hard those that change fewer characters, easy those that change more", async () => {
    const { choices } = await choicesOf(TWO_EDITS, 1);
    if (choices === null) throw new Error("no squares");
    const changed = (difficulty: "easy" | "hard") =>
      choices[difficulty].squares.map(({ solutions: [right, , , both] }) => distance(right, both));
    const [hard, easy] = [changed("hard"), changed("easy")];
    expect(Math.max(...hard)).toBeLessThan(Math.max(...easy));
    expect(Math.min(...hard)).toBeLessThan(Math.min(...easy));
  });

  it("say what differs where", async () => {
    const { choices, revision } = await choicesOf(TWO_EDITS, 1);
    for (const { misses } of choices?.easy.squares ?? []) {
      for (const { line, from } of misses.flatMap((miss) => explained(miss, revision.text).edits)) {
        const behind = TWO_EDITS.after.split("\n").slice(line - 1);
        expect(behind.join("\n")).toContain(from);
      }
    }
  });

  it("are the same for the same seed", async () => {
    const squares = async () => (await choicesOf(TWO_EDITS, 3)).choices?.hard.squares;
    expect(await squares()).toEqual(await squares());
  });

  it("are none of a new name put back in both its places, which would be as right", async () => {
    const renamed = {
      before: "def run(count):\n    first = load(count)\n    return first",
      after: "def run(count):\n    second = read(count)\n    return second",
      review: "Read it.",
    };
    const { choices } = await choicesOf(renamed, 1);
    const squares = DIFFICULTIES.flatMap((difficulty) => choices?.[difficulty].squares ?? []);
    expect(squares.length).toBeGreaterThan(0);
    for (const { misses } of squares) {
      expect(misses.filter(({ edits }) => edits.every(({ to }) => to === "first"))).not.toHaveLength(2);
    }
  });

  it("are none that differ in space alone, but for Python", async () => {
    const change = { before: "{\na();\nb(1);\n}", after: "{\n  a();\n  b(2);\n}", language: "java" } as const;
    const { choices } = await choicesOf(change, 1);
    const squares = DIFFICULTIES.flatMap((difficulty) => choices?.[difficulty].squares ?? []);
    expect(squares.flatMap(({ misses }) => misses).flatMap(({ edits }) => edits.map(({ to }) => to))).not.toContain(
      "a();",
    );
  });

  it("are none where there is but one place for a near miss", async () => {
    expect((await choicesOf({ before: "x = a", after: "x = b" }, 1)).choices).toBeNull();
  });
});
