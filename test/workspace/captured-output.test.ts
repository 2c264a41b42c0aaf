import { describe, expect, it } from "vitest";
import { CapturedOutput } from "../../src/workspace/run-command.js";

describe("the output of a command", () => {
  it("is kept whole as long as it fits", () => {
    const output = new CapturedOutput(4);
    output.add(Buffer.from("abc"));
    output.add(Buffer.from("defgh"));
    expect(output.text()).toBe("abcdefgh");
  });

  it("loses its middle, and says how much", () => {
    const output = new CapturedOutput(4);
    // 26 letters, 4 of each end kept: 18 are left out.
    for (const letter of "abcdefghijklmnopqrstuvwxyz") output.add(Buffer.from(letter));
    expect(output.text()).toBe("abcd\n… 18 bytes left out …\nwxyz");
    expect(output.total).toBe(26);
  });
});
