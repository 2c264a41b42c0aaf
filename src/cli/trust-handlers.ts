import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../console/console.js";
import { recordedAsks } from "../console/named-model.js";
import { CONFIG_FILE, readConfig } from "../model/config.js";
import { NO_CONNECTION } from "../model/model.js";
import { aliasAsk, loadAliases } from "../model/model-aliases.js";
import { type ModelAsks, modelAsks } from "../model/model-asks.js";
import { resolveModel } from "../model/resolved-model.js";
import { connectionKey, requireServerUrl } from "../model/server/server-access.js";
import type { Block } from "../report/block.js";
import { type ColumnOf, leftColumn, sentence, tableOf, textCell, textColumn } from "../report/make-block.js";
import { showBlocks } from "../report/terminal.js";
import { ANY_RUN } from "../run/folder/run-folder.js";
import { RUN_HOLDER } from "../run/run-record.js";
import type { Suites, TrustPlace } from "../run/suite-entry.js";
import { type Ask, type Claim, claimId, claimWords, isSameClaim, trustCommand } from "../trust/claim.js";
import { bundleModule } from "../trust/module-bundle.js";
import { changeTrust, findTrusted, type Grant, readTrust, trustFilePath } from "../trust/require-trust.js";
import type { AddTrustValues, RemoveTrustValues, ShowTrustValues } from "./command-options.js";

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
export async function showAsks(suites: Suites, { folder, json }: ShowTrustValues, console: Console): Promise<ExitCode> {
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
function askedFor(claim: Ask["claim"]): string {
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
async function findAsks(suites: Suites, place: TrustPlace): Promise<ModelAsks> {
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
  throw badInput(`Expected the folder of a run, an audit or data, found no folder ${resolve(folder)}.`);
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

const GRANT_COLUMNS: readonly ColumnOf<Grant>[] = [
  textColumn("id", "id", ({ claim }) => claimId(claim)),
  textColumn("kind", "kind", ({ claim }) => claim.kind, { importance: 2 }),
  textColumn("what", "trusted", ({ claim }) => askedFor(claim)),
  textColumn("since", "since", (grant) => grant.added_at.slice(0, 10), { importance: 2 }),
];

/** `probe trust list`. */
export async function listTrusted(isJson: boolean, console: Console): Promise<ExitCode> {
  const path = trustFilePath();
  const trusted = await readTrust(path);
  const entries = trusted.map(({ claim, added_at }) => ({ id: claimId(claim), ...claim, added_at }));
  if (isJson) console.out(jsonText({ file: path, trusted: entries }));
  else if (trusted.length === 0) showBlocks(console, [sentence(`Nothing is trusted (${path}).`)]);
  else showBlocks(console, [tableOf(null, GRANT_COLUMNS, trusted), sentence(`Kept in ${path}`)]);
  return EXIT.done;
}

/** `probe trust add`. */
export async function addTrusted(suites: Suites, values: AddTrustValues, console: Console): Promise<ExitCode> {
  const { workingDirectory } = console;
  const named = await namedClaims(values, workingDirectory);
  const claims =
    named.length > 0 ? named : await askedClaims(suites, { workingDirectory, folder: values.folder }, values.yes);
  const once = claims.filter((claim, i) => claims.findIndex((other) => isSameClaim(other, claim)) === i);
  const { before, after } = await changeTrust(trustFilePath(), (known) => {
    const added = once.filter((claim) => !known.some((grant) => isSameClaim(grant.claim, claim)));
    if (added.length === 0) return known;
    return [...known, ...added.map((claim) => ({ claim, added_at: console.now().toISOString() }))];
  });
  const added = after.filter((grant) => !before.includes(grant));
  for (const { claim } of added) console.err(`Trusted: ${askedFor(claim)} (${claimId(claim)}).\n`);
  if (added.length === 0) console.err("Nothing to add: all of it is trusted already.\n");
  return EXIT.done;
}

/** Claims that the options name. */
async function namedClaims(values: AddTrustValues, workingDirectory: string): Promise<Claim[]> {
  const modules = await Promise.all(
    values.module.map(async (source): Promise<Claim> => {
      const path = resolve(workingDirectory, source);
      return { kind: "module", path, sha256: (await bundleModule(source, path)).sha256 };
    }),
  );
  const aliases = values.alias.length === 0 ? null : await loadAliases(workingDirectory);
  return [
    ...serverClaims(values),
    ...modules,
    ...values.alias.map((name) => {
      const alias = aliases?.get(name);
      if (alias?.replacesShipped === true) return aliasAsk(alias).claim;
      throw badInput(
        `Expected an alias of probe.config.json that takes the place of one of the program's, found "${shorten(name, 120)}".`,
      );
    }),
  ];
}

function serverClaims({ baseUrl, apiKeyEnv, apiKeyFile }: AddTrustValues): Claim[] {
  const key = connectionKey({ apiKeyEnv, apiKeyFile });
  if (key !== null && baseUrl.length === 0) {
    throw badInput("Expected --base-url beside the key, found none. A key is trusted for one server.");
  }
  return baseUrl.map((url) => ({ kind: "server", origin: new URL(requireServerUrl(url)).origin, key }));
}

/** @throws ProbeError `bad_input` unless something is asked for, and --yes was given */
async function askedClaims(
  suites: Suites,
  place: { readonly workingDirectory: string; readonly folder: string | null },
  isYes: boolean,
): Promise<Claim[]> {
  const { needed } = await findAsks(suites, place);
  if (needed.length > 0 && isYes) return needed.map(({ claim }) => claim);
  const [found, advice] =
    needed.length === 0
      ? ["nothing that asks for it", "Name it, such as --base-url http://127.0.0.1:8000 --api-key-env LAB_KEY."]
      : [`${needed.length} that are asked for`, "See `probe trust`; add --yes to trust all of them."];
  throw badInput(`Expected what is to be trusted, found ${found}. ${advice}`);
}

/** `probe trust remove`. */
export async function removeTrusted({ ids, all }: RemoveTrustValues, console: Console): Promise<ExitCode> {
  const { before, after } = await changeTrust(trustFilePath(), (known) => {
    requireKnown(ids, all, known);
    const kept = known.filter(({ claim }) => !all && !ids.includes(claimId(claim)));
    return kept.length === known.length ? known : kept;
  });
  for (const { claim } of before.filter((grant) => !after.includes(grant))) {
    console.err(`No longer trusted: ${askedFor(claim)}.\n`);
  }
  return EXIT.done;
}

/** @throws ProbeError `bad_input` for an id of nothing that is trusted, and for none at all */
function requireKnown(ids: readonly string[], isAll: boolean, known: readonly Grant[]): void {
  const unknown = ids.find((id) => !known.some(({ claim }) => claimId(claim) === id));
  if (unknown !== undefined || (ids.length === 0 && !isAll)) {
    const found = unknown === undefined ? "none" : `"${shorten(unknown, 120)}"`;
    throw badInput(`Expected ids of what is trusted, or --all, found ${found}. See: probe trust list`);
  }
}
