import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../../src/base/sha256.js";
import { writeAgreed } from "../../../../src/suites/codereviewqa/curate/kappa-resolve.js";
import { type DecisionsFile, readDecisions } from "../../../../src/suites/codereviewqa/curate/review/decisions-file.js";
import { type Category, writeDecisions } from "../../../fixtures/decisions.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { rawTripleWith } from "../../../fixtures/raw-triple.js";

const folder = useFreshFolder();

// Odd spacing and order of fields: the agreed set repeats a line as it stands.
const line = (id: string) => `{ "id":"${id}",  ${JSON.stringify(rawTripleWith()).slice(1)}`;
const DATA = `${["p", "q", "r", "s", "t"].map(line).join("\n")}\n`;

async function decisions(name: string, categories: Record<string, Category>): Promise<DecisionsFile> {
  return readDecisions(writeDecisions(folder.path(`${name}.jsonl`), name, categories, { sha256: sha256(DATA) }));
}

async function request(resolved?: Record<string, Category>) {
  writeFileSync(folder.path("data.jsonl"), DATA);
  return {
    // p: both keep; q: conflict; r: both drop, reasons differ; s: both drop alike; t: ada only.
    a: await decisions("ada", {
      p: "keep",
      q: "keep",
      r: "code_formatting",
      s: "ignored_comment",
      t: "keep",
    }),
    b: await decisions("bob", { p: "keep", q: "wrong_linking", r: "unclear_comment", s: "ignored_comment" }),
    resolutions: resolved === undefined ? null : await decisions("both", resolved),
    data: folder.path("data.jsonl"),
    out: folder.path("agreed.jsonl"),
  };
}

describe("the agreed set", () => {
  it("is what both kept, byte for byte; every other line has its reason", async () => {
    const funnel = await writeAgreed(await request());
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(`${line("p")}\n`);
    expect(funnel).toEqual({
      read: { python: 5 },
      drops: [
        { reason: "conflict, not resolved", counts: { python: 1 } },
        { reason: "dropped by both, reasons differ", counts: { python: 1 } },
        { reason: "ignored_comment", counts: { python: 1 } },
        { reason: "not decided by both", counts: { python: 1 } },
      ],
      kept: { python: 1 },
    });
  });

  it("takes conflicts as they were resolved, and lets a resolution change nothing else", async () => {
    // The word on s and t does not count: s was agreed on, t was not decided by both.
    const funnel = await writeAgreed(await request({ q: "keep", r: "no_change_asked", s: "keep", t: "keep" }));
    expect(readFileSync(folder.path("agreed.jsonl"), "utf8")).toBe(`${line("p")}\n${line("q")}\n`);
    expect(funnel.drops.map(({ reason }) => reason)).toEqual([
      "no_change_asked",
      "ignored_comment",
      "not decided by both",
    ]);
  });

  it("is not made of data that was changed since", async () => {
    const asked = await request();
    writeFileSync(asked.data, `${DATA}\n`);
    await expect(writeAgreed(asked)).rejects.toThrow(
      /Expected the data that .*ada\.jsonl is about .*found another in .*data\.jsonl/,
    );
  });

  it("says how to name data that is elsewhere", async () => {
    const asked = { ...(await request()), data: folder.path("gone.jsonl") };
    await expect(writeAgreed(asked)).rejects.toThrow(/gone\.jsonl, found no readable file\. .*--data/);
  });
});
