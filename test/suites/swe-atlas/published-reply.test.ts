import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publishedManifest, publishedRating } from "../../../src/suites/swe-atlas/published-reply.js";

interface Case {
  readonly reply: string;
  readonly qa: string | null;
  readonly rf: string | null;
  readonly tw: string | null;
  readonly manifest: string;
}

const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/odd-replies.json"), "utf8"),
);

it("reads odd replies as the released evaluators do, those included that end them", () => {
  const read = cases.map(({ reply }) => ({
    reply,
    qa: publishedRating("qa", reply),
    rf: publishedRating("rf", reply),
    tw: publishedRating("tw", reply),
    manifest: publishedManifest(reply),
  }));
  expect(read).toEqual(cases);
  expect(new Set(cases.flatMap(({ rf, manifest }) => [rf, manifest]))).toEqual(new Set(["YES", "NO", null, "broken"]));
});
