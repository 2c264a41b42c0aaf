import { advisedSuite } from "../../judge/advised-suite.js";
import { plainPage } from "../../run/plain-page.js";
import { storedRun } from "../../run/score-folder.js";
import type { StoredRun, SuitePage } from "../../run/suite.js";
import { TRIALS, type TrialRecord } from "../../trial/records.js";
import { codetasteAdapter } from "./adapter.js";
import { partsOf } from "./parts.js";
import { notRunBlocks } from "./report/score-blocks.js";
import { trialSections } from "./report/trial-sections.js";

const advised = advisedSuite({ bench: codetasteAdapter, parts: partsOf });

/** CodeTaste as every command runs a suite. */
export const suite: typeof advised = {
  ...advised,
  async score(stored, write) {
    const score = await advised.score(stored, write);
    return { ...score, blocks: [...score.blocks, ...notRunBlocks(await recordsOf(stored))] };
  },
  page: ({ runs }) => pageOf(runs),
};

/** What each run came to, which rules were followed, and every patch. */
async function pageOf(folders: readonly string[]): Promise<SuitePage> {
  const sections = [];
  for (const [i, folder] of folders.entries()) {
    const stored = await storedRun(suite, folder);
    const blocks = await trialSections(folder, stored.run, await recordsOf(stored));
    const title = `Rules and patches of ${stored.run.model.label}`;
    if (blocks.length > 0) sections.push({ id: `${suite.name}-patches-${i + 1}`, title, blocks });
  }
  return plainPage(suite, folders, sections);
}

async function recordsOf(stored: Pick<StoredRun, "records">): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  for await (const own of stored.records(TRIALS)) records.push(...own);
  return records;
}
