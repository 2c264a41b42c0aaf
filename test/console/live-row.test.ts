import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { LiveRow } from "../../src/console/console.js";

function terminal(columns: number) {
  const emulator = new xterm.Terminal({ cols: columns, rows: 10, allowProposedApi: true, convertEol: true });
  const stream = { columns, write: (text: string) => emulator.write(text) };
  const screen = async () => {
    await new Promise<void>((resolve) => emulator.write("", resolve));
    const { active } = emulator.buffer;
    const lines = Array.from({ length: 10 }, (_, i) => active.getLine(i)?.translateToString(true) ?? "");
    while (lines.at(-1) === "") lines.pop();
    return lines;
  };
  return { emulator, stream, screen, row: new LiveRow(stream) };
}

describe("a row that changes", () => {
  it("stands below what is written, whole", async () => {
    const { row, stream, screen } = terminal(40);
    row.show("a long row that goes on");
    row.above(() => stream.write("first\n"));
    row.show("short");
    row.above(() => stream.write("second\n"));
    expect(await screen()).toEqual(["first", "second", "short"]);
  });

  it("leaves nothing behind it", async () => {
    const { row, stream, screen } = terminal(40);
    row.show("a row");
    row.end();
    row.end();
    row.above(() => stream.write("last\n"));
    expect(await screen()).toEqual(["last"]);
  });

  it("leaves room for what the terminal echoes of Ctrl-C, and goes with it", async () => {
    const { row, stream, screen } = terminal(20);
    // 20 characters a line, 6 of them for the echo.
    expect(row.width).toBe(14);
    row.show("x".repeat(100));
    stream.write("^C^C");
    row.above(() => stream.write("message\n"));
    expect(await screen()).toEqual(["message", "x".repeat(14)]);
  });

  it("goes whole where the terminal was made narrower", async () => {
    const { row, emulator, stream, screen } = terminal(40);
    row.show("y".repeat(34));
    await screen();
    // 34 characters take three rows of 16.
    emulator.resize(16, 10);
    stream.columns = 16;
    row.above(() => stream.write("message\n"));
    expect(await screen()).toEqual(["message", "y".repeat(10)]);
  });

  it("tells the terminal nothing by its text", async () => {
    const { row, screen } = terminal(40);
    row.show("a\u001b[2Jb\nc");
    expect(await screen()).toEqual(["a\\u001b[2Jb\\u000ac"]);
  });
});
