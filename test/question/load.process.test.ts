import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkOwnQuestion, type LoadedProbe, loadOwnProbes, SAMPLE_EXAMPLE } from "../../src/question/own-probe.js";
import { loadProbes } from "../../src/question/probes.js";
import { renderPrompt } from "../../src/question/prompt.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { probeModule } from "../fixtures/probe-module.js";
import { order } from "../fixtures/symbols.js";

const folder = useFreshFolder();
const shipped = await loadProbes();

/** Writes a module that defines a probe; `changes` are its properties in source. */
function writeModule(name: string, changes: Readonly<Record<string, string>> = {}): void {
  writeFileSync(folder.path(name), probeModule(changes));
}

const load = (...names: string[]) =>
  loadOwnProbes(
    names.map((source) => ({ source, path: folder.path(source), sha256: null })),
    shipped,
  );

async function loadOne(changes: Readonly<Record<string, string>> = {}): Promise<LoadedProbe> {
  writeModule("mine.mjs", changes);
  const [own] = await load("mine.mjs");
  return own!;
}

describe("loadOwnProbes", () => {
  it("fills in what a definition leaves out: every example, the common stem, one form, no classes", async () => {
    const { probe, template } = await loadOne();
    expect(probe).toMatchObject({ kind: "choice", task: "COLOUR", optionCount: 2, difficulties: [] });
    expect(probe.isEligible(SAMPLE_EXAMPLE)).toBe(true);
    expect(probe.stem(SAMPLE_EXAMPLE)).toMatchObject({ lang: "Python", code_review: SAMPLE_EXAMPLE.review });
    expect(probe.answerClass({ changeType: "add" })).toBeNull();
    expect(template.id).toBe("own/COLOUR");
  });

  it("comes after the shipped probes, in the order of the files", async () => {
    writeModule("one.mjs", { task: '"ONE"' });
    writeModule("two.mjs", { task: '"TWO"' });
    const orders = (await load("two.mjs", "one.mjs")).map(({ probe }) => probe.order);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect(Math.max(...[...shipped.values()].map(({ order }) => order))).toBeLessThan(orders[0]!);
  });

  it("takes TypeScript that imports relative files and types of the package", async () => {
    writeFileSync(folder.path("words.ts"), 'export const WORDS: readonly string[] = ["red", "blue"];\n');
    writeFileSync(
      folder.path("typed.ts"),
      [
        'import type { OwnProbe } from "code-review-probe";',
        'import { WORDS } from "./words.js";',
        "export const probe: OwnProbe = {",
        '  task: "COLOUR", title: "a colour", optionCount: 2, templateText: "{option_a}{option_b}",',
        "  options: () => WORDS,",
        "};",
      ].join("\n"),
    );
    const [own] = await load("typed.ts");
    expect(own?.probe.options(SAMPLE_EXAMPLE, null)).toEqual(["red", "blue"]);
  });

  it("has the same hash for the same code, and another when a file it imports changes", async () => {
    const hashWith = async (colour: string) => {
      writeFileSync(folder.path("words.mjs"), `export const words = () => ["red", "${colour}"];\n`);
      writeModule("mine.mjs", { options: "words" });
      const module = readFileSync(folder.path("mine.mjs"), "utf8");
      writeFileSync(folder.path("mine.mjs"), `import { words } from "./words.mjs";\n${module}`);
      return (await load("mine.mjs"))[0]!.sha256;
    };
    const before = await hashWith("blue");
    expect(await hashWith("blue")).toBe(before);
    expect(await hashWith("green")).not.toBe(before);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "9 options",
      { optionCount: "9" },
      /found 9: that is 9! = 362,880 orders a question; at most 8! = 40,320 are asked/,
    ],
    ["27 options", { optionCount: "27" }, /found 27: there are 26 letters/],
    ["one option", { optionCount: "1" }, /found 1: a choice is between two at least/],
    ["half an option", { optionCount: "2.5" }, /found 2\.5: a choice is between two at least/],
    ["a name in small letters", { task: '"colour"' }, /probe\.task: expected a name of capital letters/],
    ["no template", { templateText: "undefined" }, /expected one of template .* and templateText/],
    ["two templates", { template: '"a.txt"' }, /expected one of template .* and templateText/],
    ["a template that lacks an option", { templateText: '"{option_a}"' }, /expected a template with \{option_b\}/],
    ["a template with an option more", { templateText: '"{option_a}{option_b}{option_c}"' }, /found \{option_c\}/],
    ["a third difficulty", { difficulties: '["easy", "medium"]' }, /probe\.difficulties\.1: expected easy or hard/],
    ["no options", { options: "undefined" }, /probe\.options: expected a function/],
    ["a property that is none", { option: "1" }, /Unrecognized key: "option"/],
    ["nothing to choose from", { kind: '"generation"' }, /probe\.kind: expected a probe with options to choose from/],
    ["an import that is not there", { task: 'nowhere("zod")' }, /nowhere is not defined/],
  ])("refuses a probe that has %s, naming the file", async (_, changes, says) => {
    await expect(loadOne(changes)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(new RegExp(`^mine\\.mjs: [^]*${says.source}`)),
    });
  });

  it("refuses a module that imports a package", async () => {
    writeFileSync(folder.path("zod.mjs"), 'import { z } from "zod";\nexport const probe = z;\n');
    await expect(load("zod.mjs")).rejects.toThrow(/it imports zod; only types and relative files can be/);
  });

  it("refuses a module that is not there, and one with an error of syntax", async () => {
    await expect(load("none.ts")).rejects.toThrow(/^none\.ts: expected a module in TypeScript or JavaScript/);
    writeFileSync(folder.path("torn.ts"), "export const probe = {");
    await expect(load("torn.ts")).rejects.toThrow(/^torn\.ts: expected a module in TypeScript or JavaScript/);
  });

  it("refuses the task of a shipped probe, and one that another file defines", async () => {
    await expect(loadOne({ task: '"CL"' })).rejects.toThrow(/expected a task of its own, found CL, which comes with/);
    writeModule("one.mjs");
    writeModule("two.mjs");
    await expect(load("one.mjs", "two.mjs")).rejects.toThrow(/^two\.mjs: .*found COLOUR, which one\.mjs defines too/);
  });

  it("does not judge a template by a made-up example that the probe does not ask about", async () => {
    const changes = { templateText: '"{option_a} {option_b} {mood}"', isEligible: '({ id }) => id !== "sample"' };
    expect((await loadOne(changes)).probe.task).toBe("COLOUR");
  });
});

describe("checkOwnQuestion", () => {
  const check = async (changes: Readonly<Record<string, string>>) => {
    const { probe, template } = await loadOne(changes);
    checkOwnQuestion(SAMPLE_EXAMPLE, { probe, difficulty: null }, template);
  };

  it("lets a question pass that can be shown", async () => {
    await expect(check({})).resolves.toBeUndefined();
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["too few options", { options: '() => ["red"]' }, /COLOUR cannot be asked about the example sample: .*2 distinct/],
    ["options that repeat", { options: '() => ["red", "red"]' }, /expected 2 distinct options/],
    ["options that are no texts", { options: "() => [1, 2]" }, /expected options that are texts/],
    [
      "a function that throws",
      { options: '() => { throw new Error("no idea"); }' },
      /mine\.mjs: options failed .*no idea/,
    ],
  ])("refuses %s, naming the example", async (_, changes, says) => {
    await expect(check(changes)).rejects.toThrow(says);
  });
});

describe("a question of five options", () => {
  it("is shown with the option of each symbol behind it", async () => {
    const names = ["a", "b", "c", "d", "e"].map((letter) => `{option_${letter}}`).join(" ");
    const { template } = await loadOne({
      optionCount: "5",
      templateText: JSON.stringify(names),
      options: "() => [0, 1, 2, 3, 4].map(String)",
    });
    const question = { stem: {}, options: ["0", "1", "2", "3", "4"] };
    const place = {
      index: 0,
      task: "COLOUR",
      difficulty: null,
      exampleId: "x",
      language: "c",
      changeType: "add",
    } as const;
    expect(renderPrompt(template, { ...place, ...question }, order("40312"))).toBe("4 0 3 1 2");
  });
});
