import { describe, expect, it } from "vitest";
import {
  choice,
  flagOf,
  list,
  parseOptions,
  type RecordedRequest,
  settings,
  single,
  wholeNumber,
} from "../../src/console/option.js";
import {
  choiceOption,
  countOption,
  listOption,
  parsedListOption,
  switchOption,
  textOption,
} from "../../src/console/option-kinds.js";
import {
  commandWords,
  givenFrom,
  namedAnew,
  recordedParameters,
  withDefaults,
  withRecorded,
} from "../../src/console/recorded-options.js";

const TABLE = {
  model: textOption("which model", { alias: "m", replay: ({ model }) => model.label }),
  task: listOption("what is asked", { parameter: "tasks" }),
  promptMode: choiceOption("how", ["completion", "chat"], "completion", { parameter: "prompt_mode" }),
  limit: countOption("how many", 1, { parameter: "limit" }),
  earlyStop: switchOption("stop early", { parameter: "early_stop" }),
  out: textOption("where to"),
};
const NOTHING = { model: null, task: [], promptMode: "completion", limit: null, earlyStop: false, out: null };
const RECORD: RecordedRequest = {
  parameters: { tasks: ["CTR", "CL"], prompt_mode: "chat", limit: 3, early_stop: true },
  model: { label: "tiny", connection: {} },
};

describe("parseOptions", () => {
  it("has a value for every option, also where nothing was given", () => {
    expect(parseOptions(TABLE, {})).toEqual(NOTHING);
  });

  it("parses each by its kind, and passes over what is no option of the table", () => {
    const given = { model: "tiny", task: ["CTR,CL", " SI"], promptMode: "CHAT", limit: "3", earlyStop: true, _: [] };
    expect(parseOptions(TABLE, given)).toEqual({
      model: "tiny",
      task: ["CTR", "CL", "SI"],
      promptMode: "chat",
      limit: 3,
      earlyStop: true,
      out: null,
    });
  });

  it.each([
    [{ out: ["a", "b"] }, "Expected one value for --out, found 2."],
    [{ promptMode: "talk" }, 'Expected one of completion, chat for --prompt-mode, found "talk".'],
    [{ limit: "0" }, 'Expected a whole number of at least 1 for --limit, found "0".'],
  ])("refuses %j, naming the flag", (given, message) => {
    expect(() => parseOptions(TABLE, given)).toThrow(message);
  });

  it.each([{ out: "" }, { task: " " }, { task: ["CTR", ""] }, { limit: "" }, { promptMode: "\t" }])(
    "takes an empty text for a mistake, not for the default: %j",
    (given) => {
      expect(() => parseOptions(TABLE, given)).toThrow(
        `Expected a value for --${flagOf(Object.keys(given)[0]!)}, found an empty text.`,
      );
    },
  );
});

describe("recordedParameters", () => {
  it("keeps the options that have a parameter, under its name and in the order of the table", () => {
    const values = parseOptions(TABLE, { task: "CTR", earlyStop: true, out: "here" });
    expect(Object.entries(recordedParameters(TABLE, values))).toEqual([
      ["tasks", ["CTR"]],
      ["prompt_mode", "completion"],
      ["limit", null],
      ["early_stop", true],
    ]);
  });

  it("keeps what an option says of itself, and nothing where it says nothing", () => {
    const table = {
      size: countOption("", 1, { parameter: "size", record: (value) => `${value} items` }),
      seed: countOption("", 0, { parameter: "seed", record: () => undefined }),
    };
    expect(recordedParameters(table, { size: 3, seed: 7 })).toEqual({ size: "3 items" });
  });
});

describe("withRecorded", () => {
  it("gives the options of a record again: parsed, they are what was recorded", () => {
    const again = parseOptions(TABLE, withRecorded(TABLE, {}, RECORD));
    expect(again).toMatchObject({ model: "tiny", out: null });
    expect(recordedParameters(TABLE, again)).toEqual(RECORD.parameters);
  });

  it("lets what is given now stand over it, but not what is not given", () => {
    expect(withRecorded(TABLE, { limit: "5", task: undefined }, RECORD)).toMatchObject({
      limit: "5",
      task: ["CTR", "CL"],
    });
  });

  it("gives nothing for parameters that a record lacks", () => {
    const empty: RecordedRequest = { parameters: { limit: null }, model: { label: "tiny", connection: {} } };
    expect(parseOptions(TABLE, withRecorded(TABLE, {}, empty))).toEqual({ ...NOTHING, model: "tiny" });
  });
});

it("givenFrom makes texts of what was recorded, and leaves switches as they are", () => {
  expect([null, undefined, true, false, 3, "a", [1, "b"]].map(givenFrom)).toEqual([
    undefined,
    undefined,
    true,
    false,
    "3",
    "a",
    ["1", "b"],
  ]);
});

describe("commandWords", () => {
  it("are the flags that ask the same again, ready for a shell", () => {
    expect(commandWords(TABLE, { ...RECORD, model: { label: "my model", connection: {} } })).toEqual([
      "--model 'my model'",
      "--task CTR",
      "--task CL",
      "--prompt-mode chat",
      "--limit 3",
      "--early-stop",
    ]);
  });

  it("leave out defaults, switches that are off, and what was not said", () => {
    const parameters = { tasks: [], prompt_mode: "completion", limit: null, early_stop: false };
    expect(commandWords(TABLE, { ...RECORD, parameters })).toEqual(["--model tiny"]);
  });

  it("leave out what a record from before there was such an option does not have", () => {
    expect(commandWords(TABLE, { ...RECORD, parameters: {} })).toEqual(["--model tiny"]);
  });

  it("say what stands in the place of what was recorded, lists in one word where an option has them so", () => {
    const task = listOption("", { parameter: "tasks", isJoined: true });
    expect(commandWords({ ...TABLE, task }, RECORD, { task: ["SI", "ACR"], limit: undefined })).toEqual([
      "--model tiny",
      "--task SI,ACR",
      "--prompt-mode chat",
      "--early-stop",
    ]);
  });

  it("do not say what is the user's own, such as where a key is", () => {
    const key = textOption("", { isOwn: true, replay: () => "KEY" });
    expect(commandWords({ key }, RECORD)).toEqual([]);
  });
});

describe("withDefaults", () => {
  it("has the default of every option that a record does not have, and what the record has of all others", () => {
    expect(withDefaults(TABLE, { limit: 3, early_stop: true, gone: "yes" })).toEqual({
      tasks: [],
      prompt_mode: "completion",
      limit: 3,
      early_stop: true,
      gone: "yes",
    });
  });

  it("has nothing for an option that records nothing where it was not given", () => {
    const ablate = listOption("", {
      parameter: "ablate",
      record: (value) => (value.length === 0 ? undefined : [...value]),
    });
    expect(withDefaults({ ablate }, {})).toEqual({});
  });
});

describe("namedAnew", () => {
  const code = parsedListOption("code to run", (given) => given, { isNamedAnew: true });

  it("is what a resume must be told again: the record does not run code", () => {
    const table = { ...TABLE, probe: code };
    expect(namedAnew(table, { probe: ["a.ts", "b.ts"], limit: "3" })).toBe(" --probe a.ts --probe b.ts");
    expect(namedAnew(table, { limit: "3" })).toBe("");
  });
});

const badInput = (message: string) =>
  expect.objectContaining({ code: "bad_input", message: expect.stringContaining(message) });

describe("list", () => {
  it("splits at commas, joins repetitions, trims, and drops empty parts", () => {
    expect(list("CTR, CL,,SI ")).toEqual(["CTR", "CL", "SI"]);
    expect(list(["CTR,CL", "SI"])).toEqual(["CTR", "CL", "SI"]);
    expect(list(undefined)).toEqual([]);
  });
});

describe("single", () => {
  it("takes one value, given once or not at all", () => {
    expect(single("seed", "7")).toBe("7");
    expect(single("seed", ["7"])).toBe("7");
    expect(single("seed", [])).toBeUndefined();
    expect(single("seed", undefined)).toBeUndefined();
  });

  it("refuses an empty value: it would name the working directory, or nothing", () => {
    expect(() => single("out", "")).toThrow(badInput("Expected a value for --out, found none."));
    expect(() => single("out", [""])).toThrow(badInput("Expected a value for --out, found none."));
  });

  it("refuses a repetition instead of taking one of both", () => {
    expect(() => single("seed", ["7", "8"])).toThrow(badInput("--seed, found 2"));
  });
});

describe("wholeNumber", () => {
  it("reads a whole number", () => {
    expect(wholeNumber("limit", "12", 1)).toBe(12);
    expect(wholeNumber("limit", "1", 1)).toBe(1);
    expect(wholeNumber("seed", "0", 0)).toBe(0);
    expect(wholeNumber("limit", undefined, 1)).toBeUndefined();
  });

  it.each(["", " ", "ten", "1.5", "0", "-3", "1e400", "NaN", "9007199254740993"])("refuses %j", (text) => {
    expect(() => wholeNumber("limit", text, 1)).toThrow(badInput("a whole number of at least 1 for --limit"));
  });

  it.each(["", "  "])("does not take %j for 0", (text) => {
    expect(() => wholeNumber("seed", text, 0)).toThrow(badInput("--seed"));
  });
});

describe("choice", () => {
  it("takes one of the words, in any case", () => {
    expect(choice("mode", "EXACT", ["exact", "fast"])).toBe("exact");
    expect(choice("mode", undefined, ["exact", "fast"])).toBeUndefined();
  });

  it("refuses another word, naming the words there are", () => {
    expect(() => choice("mode", "slow", ["exact", "fast"])).toThrow(
      badInput('Expected one of exact, fast for --mode, found "slow".'),
    );
    expect(() => choice("mode", "", ["exact", "fast"])).toThrow(badInput("--mode"));
  });
});

describe("settings", () => {
  it("are split at the first equals sign", () => {
    expect(settings(["threads=2", "chatTemplate={% if a == b %}", "sha256="])).toEqual({
      threads: "2",
      chatTemplate: "{% if a == b %}",
      sha256: "",
    });
    expect(settings("gpu=false")).toEqual({ gpu: "false" });
    expect(settings(undefined)).toEqual({});
  });

  it("keep commas: a template may hold them", () => {
    expect(settings("chatTemplate=a,b")).toEqual({ chatTemplate: "a,b" });
  });

  it.each(["threads", "=2", ""])("refuse %j", (pair) => {
    expect(() => settings(pair)).toThrow(badInput("Expected key=value for --model-arg"));
  });
});
