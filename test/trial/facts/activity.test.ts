import { describe, expect, it } from "vitest";
import { activityFacts, classesOf, commandsIn, isLookup } from "../../../src/trial/facts/activity.js";

const call = (name: string, given: object = {}) => ({ id: name, name, arguments: JSON.stringify(given) });
const turn = (...toolCalls: object[]) => ({ role: "assistant", toolCalls });
const shell = (command: string) => call("run_command", { command });

it("counts calls by names that a tool may have, and the others together", () => {
  // 150 names: the first 100, and one of a million letters among them that is none.
  const names = ["x".repeat(1_000_000), ...Array.from({ length: 150 }, (_, i) => `name ${i}`)];
  const facts = activityFacts([turn(...names.map((name) => call(name)))], "");
  expect([facts["calls name 99"], facts["calls name 100"], facts["calls of other names"]]).toEqual([1, undefined, 51]);
});

describe("commandsIn", () => {
  it.each([
    ["cd a && pytest -q; ls | wc -l", ["cd a", "pytest -q", "ls", "wc -l"]],
    ["grep 'a;b && c' x || echo \"d|e\"", ["grep 'a;b && c' x", 'echo "d|e"']],
    ["make\n# a note\nmake test", ["make", "make test"]],
    ["echo a\\;b &", ["echo a\\;b &"]],
    ["", []],
  ])("splits %j outside of quotes", (line, commands) => {
    expect(commandsIn(line)).toEqual(commands);
  });
});

describe("classesOf", () => {
  it.each([
    ["cat x", ["files"]],
    ["FOO=1 timeout 5 /usr/bin/python3 -m pytest", ["execution"]],
    ["rg a | head", ["search", "files"]],
    ["git status", ["other"]],
    ["", []],
  ])("takes the first word of each command: %j", (command, classes) => {
    expect(classesOf("run_command", command)).toEqual(classes);
  });

  it("knows the tools of the house, and takes others for others", () => {
    expect(
      ["read_file", "search", "run_unit_test", "finish", "toString"].flatMap((tool) => classesOf(tool, null)),
    ).toEqual(["files", "search", "execution", "meta", "other"]);
  });
});

describe("activityFacts", () => {
  it("counts calls by message, tool and class, and classes by tenths", () => {
    const notes = [
      { role: "system", content: "x" },
      turn(call("search"), call("read_file")),
      { role: "tool", callId: "search", content: "run_command" },
      turn(call("write_file")),
      turn(shell("npm test && git diff")),
      { role: "assistant", content: "No call.", toolCalls: [] },
      turn(call("get_all_errors"), call("read_file"), call("finish")),
      { role: "finish", success: true, summary: "" },
    ];
    // Seven calls in four messages; eight actions, as a line of the shell is two.
    expect(activityFacts(notes, "o/n")).toMatchObject({
      messages: 4,
      calls_a_message: 7 / 4,
      one_call: 0.5,
      two_calls: 0.25,
      three_calls_or_more: 0.25,
      lookups: 0,
      errors_asked_for_at_the_end: 1,
      change_in_the_last_message: 0,
      "calls read_file": 2,
      "calls run_command": 1,
      "actions execution": 2,
      "actions files": 3,
      "actions other": 1,
      // search, read, write, npm, git, errors, read, finish: of eight the first is in tenth 1, the last in tenth 9.
      "actions search in tenth 1": 1,
      "actions meta in tenth 9": 1,
    });
  });

  it("tells a change in the last message, and errors that were not asked for behind it", () => {
    const notes = [
      turn(call("get_all_errors")),
      turn(call("write_file"), call("finish")),
      { role: "finish", success: true },
    ];
    expect(activityFacts(notes, "")).toMatchObject({ errors_asked_for_at_the_end: 0, change_in_the_last_message: 1 });
    expect(activityFacts(notes.slice(0, 2), "")).not.toHaveProperty("change_in_the_last_message");
  });

  it("tells nothing of an agent that calls no tools", () => {
    expect(activityFacts([{ role: "command", end: "exited", code: 0, output: "" }], "o/n")).toEqual({});
  });
});

describe("isLookup", () => {
  it.each([
    ["curl https://raw.githubusercontent.com/a/b/main/c.py", true],
    ["curl https://github.com/secdev/scapy/pull/1", true],
    ["pip download https://pypi.org/project/scapy", true],
    ["git fetch origin", true],
    ["curl https://github.com/other/thing", false],
    ["git log", false],
    ["echo codeload", false],
  ])("screens %s", (command, isOne) => {
    expect(isLookup({ name: "run_command", arguments: JSON.stringify({ command }) }, "secdev/scapy")).toBe(isOne);
  });

  it("is no file that names a host", () => {
    expect(isLookup({ name: "write_file", arguments: "raw.githubusercontent.com" }, "a/b")).toBe(false);
  });
});
