import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ProbeError } from "../../../../src/base/errors.js";
import type { Console } from "../../../../src/console/console.js";
import { failuresCommand } from "../../../../src/suites/codereviewqa/cli/review-commands.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

const CONSOLE: Console = {
  out: () => expect.unreachable("nothing is printed"),
  err: () => expect.unreachable("nothing is said"),
  isTerminal: false,
  workingDirectory: ".",
  onInterrupt: () => () => undefined,
  now: () => new Date(0),
};

describe("probe failures", () => {
  it.each([
    [{ list: "match.CT" }, /Expected --list with one of non_match, match, all, a dot, and .*, found "match\.CT"/],
    [{ list: "CL" }, /found "CL"/],
    [{ list: "match.CL.easy" }, /found "match\.CL\.easy"/],
    [{ list: "match.any", json: true }, /Expected --list or --json, found both/],
    [{ match: "bleu" }, /Expected one of em, em_trim, .* for --match, found "bleu"/],
    [{ by: "repo" }, /Expected one of language, change_type for --by, found "repo"/],
    [{}, /Expected a run .*nowhere/],
  ])("refuses %j", async (given, message) => {
    const refused = failuresCommand().run?.({ runs: [folder.path("nowhere")], ...given }, CONSOLE);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(ProbeError);
  });

  it("refuses to write over a file before it reads a run", async () => {
    writeFileSync(folder.path("mine.csv"), "mine");
    const given = { runs: [folder.path("nowhere")], out: folder.path("mine.csv") };
    const refused = failuresCommand().run?.(given, CONSOLE);
    await expect(refused).rejects.toThrow(/mine\.csv, which exists/);
  });
});
