import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/console.js";
import { jsonText } from "../../console/json-output.js";
import { recordedAsks } from "../../console/named-model.js";
import { CONFIG_FILE, readConfig } from "../../model/config.js";
import { NO_CONNECTION } from "../../model/model.js";
import { loadAliases } from "../../model/model-aliases.js";
import { type ModelAsks, modelAsks } from "../../model/model-asks.js";
import { resolveModel } from "../../model/resolved-model.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, leftColumn, sentence, tableOf, textCell, textColumn } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { ANY_RUN } from "../../run/folder/run-folder.js";
import { RUN_HOLDER } from "../../run/run-record.js";
import type { SuiteEntry, TrustPlace } from "../../run/suite-entry.js";
import { type Ask, claimWords, isSameClaim, trustCommand } from "../../trust/claim.js";
import { findTrusted } from "../../trust/require-trust.js";
import type { ShowTrustValues } from "./trust-options.js";

/** Ask with its state. */
interface ShownAsk extends Ask {
  readonly state: "trusted" | "not trusted" | "no key";
}

const COLUMNS: readonly ColumnOf<ShownAsk>[] = [
  textColumn("named", "named by", ({ holder }) => holder, { importance: 2 }),
  textColumn("name", "name", ({ name }) => name),
  textColumn("what", "asks for", ({ claim }) => askedFor(claim)),
  leftColumn("state", "", ({ state }) => textCell(state, state === "not trusted" ? "bad" : "plain")),
];

/** `probe trust`: shows what files ask for, and changes nothing. */
export async function showAsks(
  suites: readonly SuiteEntry[],
  { folder, json }: ShowTrustValues,
  console: Console,
): Promise<ExitCode> {
  const { needed, free } = await findAsks(suites, { workingDirectory: console.workingDirectory, folder });
  const trusted = await findTrusted(needed);
  const asks: ShownAsk[] = [
    ...needed.map((ask) => ({
      ...ask,
      state: trusted.includes(ask) ? ("trusted" as const) : ("not trusted" as const),
    })),
    ...free.map((ask) => ({ ...ask, state: "no key" as const })),
  ];
  if (json) console.out(jsonText({ asks: asks.map(entryOf) }));
  else showBlocks(console, askBlocks(asks, folder));
  return EXIT.done;
}

function askBlocks(asks: readonly ShownAsk[], folder: string | null): Block[] {
  if (asks.length === 0) return [sentence("Nothing here asks for trust.")];
  const strangers = asks.filter(({ state }) => state === "not trusted");
  const all = `probe trust add${folder === null ? "" : ` ${folder}`} --yes`;
  return [
    tableOf(null, COLUMNS, asks),
    ...(strangers.length === 0 ? [] : [sentence(`To trust what you know (or all of it: ${all}):`)]),
    ...[...new Set(strangers.map(({ claim }) => trustCommand(claim)))].map((command) => sentence(`  ${command}`)),
  ];
}

/** Such as `http://127.0.0.1:8000, key $LAB_KEY`, or `tiny as another model, sha256 1f2e…`. */
export function askedFor(claim: Ask["claim"]): string {
  const { subject, bound } = claimWords(claim);
  return claim.kind === "alias" ? `${subject} as another model, ${bound}` : `${subject}, ${bound}`;
}

function entryOf({ name, holder, claim, state }: ShownAsk): object {
  return { named_by: holder, name, ...claim, state };
}

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

/** Asks of the aliases of `probe.config.json`, and of the models that it has `probe run` take. */
async function configAsks(workingDirectory: string): Promise<ModelAsks> {
  const aliases = await loadAliases(workingDirectory);
  const own = [...aliases.values()].filter(({ origin }) => origin === CONFIG_FILE);
  const all = own.map(({ name }) => modelAsks(resolveModel(name, aliases), NO_CONNECTION));
  const { run, matrix } = await readConfig(workingDirectory);
  const { model } = run;
  const usual = [...(typeof model === "string" ? [model] : []), ...(matrix?.models ?? [])];
  const needed = [...new Set(usual)].flatMap(
    (label) => modelAsks({ ...resolveModel(label, aliases), namedBy: CONFIG_FILE }, NO_CONNECTION).needed,
  );
  const free = all.flatMap((asks) => asks.free);
  return {
    needed: [...all.flatMap((asks) => asks.needed), ...needed],
    free: free.filter(({ claim, name }) => !needed.some((ask) => ask.name === name && isSameClaim(ask.claim, claim))),
  };
}
