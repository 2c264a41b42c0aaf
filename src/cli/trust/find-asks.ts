import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { configAsks, recordedAsks } from "../../console/recorded-asks.js";
import type { ModelAsks } from "../../model/model-asks.js";
import { ANY_RUN } from "../../run/run-folder.js";
import { RUN_HOLDER } from "../../run/run-record.js";
import type { SuiteEntry, TrustPlace } from "../../run/suite-entry.js";
import { type Ask, isSameClaim } from "../../trust/claim.js";

/**
 * All that `probe.config.json` and a folder ask for, each thing once.
 * @throws ProbeError `bad_input` when there is no such folder, or a file in it is not as expected
 */
export async function findAsks(suites: readonly SuiteEntry[], place: TrustPlace): Promise<ModelAsks> {
  const { workingDirectory, folder } = place;
  if (folder !== null) await requireFolder(folder);
  const config = await configAsks(workingDirectory);
  const run = folder === null ? null : await ANY_RUN.find(folder);
  const recorded = run === null ? null : await recordedAsks({ record: run, holder: RUN_HOLDER }, workingDirectory);
  const own: Ask[] = [];
  for (const { asks } of suites) own.push(...((await asks?.(place)) ?? []));
  return {
    needed: once([...config.needed, ...(recorded?.needed ?? []), ...own]),
    free: once([...config.free, ...(recorded?.free ?? [])]),
  };
}

async function requireFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => null);
  if (info?.isDirectory() === true) return;
  throw new ProbeError(
    "bad_input",
    `Expected the folder of a run, an audit or data, found no folder ${resolve(folder)}.`,
  );
}

/** A config and a run may ask for the same. */
function once(asks: readonly Ask[]): Ask[] {
  return asks.filter(
    (ask, i) =>
      asks.findIndex(
        ({ holder, name, claim }) => holder === ask.holder && name === ask.name && isSameClaim(claim, ask.claim),
      ) === i,
  );
}
