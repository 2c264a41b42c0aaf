import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import { jsonText } from "../../console/json-output.js";
import { aliasAsk, loadAliases } from "../../model/model-aliases.js";
import { connectionKey, requireServerUrl } from "../../model/server/server-access.js";
import { type ColumnOf, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { type Claim, claimId, isSameClaim } from "../../trust/claim.js";
import { bundleModule } from "../../trust/module-bundle.js";
import { changeTrust, type Grant, readTrust, trustFilePath } from "../../trust/require-trust.js";
import { askedFor, findAsks } from "./show-asks.js";
import type { AddTrustValues, RemoveTrustValues } from "./trust-options.js";

const COLUMNS: readonly ColumnOf<Grant>[] = [
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
  else showBlocks(console, [tableOf(null, COLUMNS, trusted), sentence(`Kept in ${path}`)]);
  return EXIT.done;
}

/** `probe trust add`. */
export async function addTrusted(
  suites: readonly SuiteEntry[],
  values: AddTrustValues,
  console: Console,
): Promise<ExitCode> {
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
      throw new ProbeError(
        "bad_input",
        `Expected an alias of probe.config.json that takes the place of one of the program's, found "${shorten(name, 120)}".`,
      );
    }),
  ];
}

function serverClaims({ baseUrl, apiKeyEnv, apiKeyFile }: AddTrustValues): Claim[] {
  const key = connectionKey({ apiKeyEnv, apiKeyFile });
  if (key !== null && baseUrl.length === 0) {
    throw new ProbeError(
      "bad_input",
      "Expected --base-url beside the key, found none. A key is trusted for one server.",
    );
  }
  return baseUrl.map((url) => ({ kind: "server", origin: new URL(requireServerUrl(url)).origin, key }));
}

/** @throws ProbeError `bad_input` unless something is asked for, and --yes was given */
async function askedClaims(
  suites: readonly SuiteEntry[],
  place: { readonly workingDirectory: string; readonly folder: string | null },
  isYes: boolean,
): Promise<Claim[]> {
  const { needed } = await findAsks(suites, place);
  if (needed.length > 0 && isYes) return needed.map(({ claim }) => claim);
  const [found, advice] =
    needed.length === 0
      ? ["nothing that asks for it", "Name it, such as --base-url http://127.0.0.1:8000 --api-key-env LAB_KEY."]
      : [`${needed.length} that are asked for`, "See `probe trust`; add --yes to trust all of them."];
  throw new ProbeError("bad_input", `Expected what is to be trusted, found ${found}. ${advice}`);
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
    throw new ProbeError(
      "bad_input",
      `Expected ids of what is trusted, or --all, found ${found}. See: probe trust list`,
    );
  }
}
