import { describe, expect, it } from "vitest";
import yargs from "yargs";
import { CommandParser, parsedCall, readyCommands } from "../../src/cli/command-parser.js";
import { type Command, command } from "../../src/console/command.js";
import type { Console } from "../../src/console/console.js";
import { EXIT } from "../../src/console/console.js";
import {
  choiceOption,
  countOption,
  listOption,
  optionalPositionals,
  positional,
  repeatedOption,
  required,
  switchOption,
  textOption,
} from "../../src/console/option-kinds.js";

const CONSOLE: Console = {
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  workingDirectory: ".",
  onInterrupt: () => () => undefined,
  now: () => new Date(0),
};

const TABLE = {
  file: positional("what is read"),
  more: optionalPositionals("further files"),
  out: required(textOption("where to", { alias: "o" })),
  task: listOption("what is asked"),
  pair: repeatedOption("two of them", { count: 2 }),
  mode: choiceOption("how", ["fast", "exact"], "fast"),
  maxCalls: countOption("how many", 1),
  json: switchOption("as JSON"),
};

/** The parser of some commands, as the program sets it up. */
async function parserOf(commands: readonly Command[], args: readonly string[]) {
  const parser = new CommandParser(CONSOLE);
  const base = yargs()
    .scriptName("probe")
    .parserConfiguration({ "greedy-arrays": false, "boolean-negation": false, "parse-numbers": false })
    .locale("en")
    .wrap(100)
    .version(false)
    .exitProcess(false)
    .strict()
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new Error(message ?? "");
    });
  const ready = parser.add(parser.demand(base, ""), await readyCommands(commands, args));
  /** The exit code of the command that is called. */
  const call = async () => (await parsedCall(ready, args))?.();
  return { parser, base: ready, call };
}

describe("a command", () => {
  const asked: unknown[] = [];
  const copy = command({
    name: "copy",
    describe: "copies",
    synopsis: "<file> --out FILE",
    about: "Copies a file.",
    options: TABLE,
    examples: [["a.txt --out b.txt", "one of them"]],
    run: async (values) => {
      asked.push(values);
      return EXIT.failedAnswers;
    },
  });

  it("is done with the values of its table, and its exit code is told", async () => {
    const args = ["copy", "a", "b", "-o", "here", "--task", "X,Y", "--task", "Z", "--pair", "p", "q", "--json"];
    const { call } = await parserOf([copy], args);
    expect(await call()).toBe(4);
    expect(asked).toEqual([
      {
        file: "a",
        more: ["b"],
        out: "here",
        task: ["X", "Y", "Z"],
        pair: ["p", "q"],
        mode: "fast",
        maxCalls: null,
        json: true,
      },
    ]);
  });

  it.each([
    [["copy", "a"], "Expected --out, found none: "],
    [["copy", "a", "--out", ""], "Expected a value for --out, found an empty text."],
    [["copy", "a", "--out", "b", "--mode", "slow"], 'Expected one of fast, exact for --mode, found "slow".'],
    [["copy", "a", "--out", "b", "--max-calls", "0"], "Expected a whole number of at least 1 for --max-calls"],
    [["copy", "a", "--out"], "Not enough arguments following: out"],
    [["copy", "a", "--pair", "b"], "Not enough arguments following: pair"],
    [["copy"], "Not enough non-option arguments"],
  ])("is refused: %j", async (args, message) => {
    const { call } = await parserOf([copy], args);
    await expect(call()).rejects.toThrow(message);
  });

  it("has a help of its synopsis, its text, its words by place, its options and its examples", async () => {
    const args = ["copy", "--help"];
    const { base } = await parserOf([copy], args);
    let help = "";
    await base.parseAsync(args, {}, (_error: unknown, _argv: unknown, output: string) => {
      help = output;
    });
    expect(help).toMatch(/^probe copy <file> --out FILE\n\nCopies a file\.\n\nPositionals:\n/);
    for (const line of [/ file +what is read +\[string\] \[required\]/, / more +further files +\[array\]/]) {
      expect(help).toMatch(line);
    }
    expect(help).toMatch(/-o, --out +where to +\[string\]\n +--task +what is asked +\[array\]\n +--pair/);
    expect(help).toMatch(/--max-calls +how many +\[string\]\n +--json +as JSON +\[boolean\]/);
    expect(help).toContain("probe copy a.txt --out b.txt  one of them");
  });
});

describe("a group of commands", () => {
  const leaf = (name: string) => command({ name, describe: name, options: {}, run: async () => EXIT.done });

  it("is loaded where its name stands among the arguments, and not otherwise", async () => {
    const loadedNames: string[] = [];
    const lazy = (name: string): Command => ({
      name,
      describe: name,
      commands: async () => {
        loadedNames.push(name);
        return [leaf("one"), leaf("two")];
      },
    });
    const { call } = await parserOf([lazy("set"), lazy("other")], ["set", "two"]);
    expect([await call(), loadedNames]).toEqual([0, ["set"]]);
  });

  it("is refused where none of its commands is called, which is known from other refusals", async () => {
    const set: Command = { name: "set", describe: "a set", commands: [leaf("one")] };
    const { call, parser } = await parserOf([set], ["set"]);
    const message = "Expected a command after `probe set`, found none.";
    await expect(call()).rejects.toThrow(message);
    expect([message, "Expected a command, found none."].map((each) => parser.isNothingAsked(each))).toEqual([
      true,
      true,
    ]);
    expect(parser.isNothingAsked("Unknown argument: x")).toBe(false);
    const named: Command = { ...set, nothing: "Expected a name, found none." };
    const other = await parserOf([named], ["set"]);
    await expect(other.call()).rejects.toThrow("Expected a name, found none.");
    expect(other.parser.isNothingAsked("Expected a name, found none.")).toBe(false);
  });
});
