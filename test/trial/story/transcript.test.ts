import { describe, expect, it } from "vitest";
import { fileTools } from "../../../src/agent/file-tools.js";
import { firstFailure, stepsOf, TOOL_KINDS } from "../../../src/trial/story/transcript.js";

const lines = (...entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
const call = (id: string, name: string, given: object) => ({ id, name, arguments: JSON.stringify(given) });

describe("the steps of a transcript", () => {
  it("are its calls with what came of them, by what they do, and the end; ids may come again", () => {
    const steps = stepsOf(
      lines(
        { attempt: 0, at_ms: 0, role: "system", content: "…" },
        {
          attempt: 0,
          at_ms: 900,
          role: "assistant",
          content: "I look first.",
          promptTokens: 40,
          completionTokens: 7,
          toolCalls: [call("1", "read_file", { path: "a.js" }), call("2", "run_command", { command: "npm test" })],
        },
        { attempt: 0, at_ms: 950, role: "tool", callId: "1", name: "read_file", content: "one\ntwo\n\nthree" },
        { attempt: 0, at_ms: 2000, role: "tool", callId: "2", name: "run_command", content: "exit code 1\nx\nlast\n" },
        {
          attempt: 0,
          role: "assistant",
          content: null,
          toolCalls: [call("1", "finish", { success: true, summary: "s" })],
        },
        { attempt: 0, at_ms: 2100, role: "finish", success: false, summary: "no way" },
      ),
    );
    expect(steps.map(({ kind, what, result, isFault, atMs }) => [kind, what, result, isFault, atMs])).toEqual([
      ["said", "I look first.", "", false, 900],
      ["read", "a.js", "3 lines", false, 950],
      ["ran", "npm test", "exit code 1: last", true, 2000],
      ["ended", "no way", "says: not done", false, 2100],
    ]);
    expect(steps[0]?.tokens).toEqual({ prompt: 40, completion: 7 });
  });

  it("name the first failing test of a command, else its last line that says something, and the end of a command of one's own", () => {
    const commands = [
      ["exit code 1", "TAP version 13", "not ok 2 - adds", "# fail 1", "# duration_ms 262.1"],
      ["exit code 0", "# pass 3", "# fail 0", "# cancelled 0", "# duration_ms 262.1"],
      ["exit code 0", "# duration_ms 1"],
    ];
    const replies = commands.map((content, i) => ({ role: "tool", callId: `${i}`, content: content.join("\n") }));
    const toolCalls = commands.map((_, i) => call(`${i}`, "run_command", { command: "node --test" }));
    const steps = stepsOf(
      lines({ role: "assistant", toolCalls }, ...replies, { role: "command", end: "exited", code: 3, output: "" }),
    );
    expect(steps.map(({ kind, result, isFault }) => [kind, result, isFault])).toEqual([
      ["ran", "exit code 1: adds", true],
      ["ran", "exit code 0: # fail 0", false],
      ["ran", "exit code 0", false],
      ["command", "exit code 3", true],
    ]);
  });

  it("of a command are those that it tells, when it says that they were", () => {
    const told = (tool: string, given: object, more: object) => ({
      role: "told",
      at_ms: 5000,
      tool,
      arguments: JSON.stringify(given),
      ...more,
    });
    const steps = stepsOf(
      lines(
        told("read_file", { path: "a.js" }, { content: "one\ntwo", ago_ms: 4000 }),
        told("run_command", { command: "npm test" }, { content: "exit code 1\nnot ok 1 - adds", ago_ms: 9000 }),
        told("browse", {}, { content: "", ago_ms: null }),
      ),
    );
    expect(steps.map(({ kind, what, result, isFault, atMs }) => [kind, what, result, isFault, atMs])).toEqual([
      ["read", "a.js", "2 lines", false, 1000],
      // Before the trial began nothing was.
      ["ran", "npm test", "exit code 1: adds", true, 0],
      ["called", "browse", "", false, null],
    ]);
  });

  it("are none of lines that cannot be read, and what an agent wrote as an entry of its own counts for no more than that", () => {
    expect(stepsOf('{"role":"assistant","toolCalls":7}\nno json\n[]\n{"attempt":-1,"role":"end"}\n')).toEqual([]);
  });

  it("tell what was removed from what was written, and a call that nobody can read from both", () => {
    const toolCalls = [
      call("0", "remove_file", { path: "a.js" }),
      { id: "1", name: "remove_file", arguments: "{cut off" },
      { id: "2", name: "get_all_errors", arguments: "" },
    ];
    const replies = ["Removed a.js.", "Error: the arguments are no JSON object", "No errors."];
    const told = replies.map((content, i) => ({ role: "tool", callId: `${i}`, content }));
    const steps = stepsOf(lines({ role: "assistant", toolCalls }, ...told));
    expect(steps.map(({ kind, what, isFault }) => [kind, what, isFault])).toEqual([
      ["removed", "a.js", false],
      ["called", "remove file", true],
      ["ran", "get all errors", false],
    ]);
  });

  it("know every tool on files", () => {
    const names = fileTools({ tree: "/none", within: [] }).map(({ definition }) => definition.name);
    expect(names.filter((name) => TOOL_KINDS[name] === undefined)).toEqual([]);
  });
});

it.each([
  [
    "TAP",
    "ok 1 - fine\nnot ok 2 - islands cost more\n  ---\n  error: |-\n    Expected values to be strictly equal:\n\n    8 !== 11\n",
    "islands cost more",
    "Expected values to be strictly equal: 8 !== 11",
  ],
  ["TAP, of a test that is to be skipped", "not ok 1 - later # TODO\nok 2 - fine\n", null, null],
  [
    "node's own reporter",
    "✔ one (1.2ms)\n✖ two words (3.4ms)\n  AssertionError [x]: no\n",
    "two words",
    "AssertionError [x]: no",
  ],
  [
    "vitest",
    " FAIL  test/a.test.js > adds\nAssertionError: expected 3 to be 4\n",
    "test/a.test.js > adds",
    "AssertionError: expected 3 to be 4",
  ],
  [
    "pytest",
    "E   ValueError: bad\nFAILED tests/a.py::test_b - ValueError: bad\n",
    "tests/a.py::test_b",
    "ValueError: bad",
  ],
  ["go", "--- FAIL: TestSum (0.00s)\n", "TestSum", null],
  ["cargo", "test sums::adds ... FAILED\n", "sums::adds", null],
  ["nothing that is known", "all is well\n", null, null],
])("tells the first failing test and why, of %s", (_, output, test, reason) => {
  expect(firstFailure(output)).toEqual({ test, reason });
});

it("looks at the beginning of a line alone: a line of a million characters holds nobody up", () => {
  const output = `a${":".repeat(1_000_000)}\nFAIL sums`;
  expect(firstFailure(output)).toEqual({ test: "sums", reason: null });
});
