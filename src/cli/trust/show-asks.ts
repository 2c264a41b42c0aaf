import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../console/option.js";
import { showBlocks } from "../../console/show-blocks.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, sentence, tableOf, textCell } from "../../report/make-block.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { type Ask, claimWords, trustCommand } from "../../trust/claim.js";
import { findTrusted } from "../../trust/require-trust.js";
import { findAsks } from "./find-asks.js";
import { SHOW_OPTIONS } from "./trust-options.js";

/** What is asked for, and how it stands. */
interface ShownAsk extends Ask {
  readonly state: "trusted" | "not trusted" | "no key";
}

const COLUMNS: readonly ColumnOf<ShownAsk>[] = [
  { id: "named", label: "named by", align: "left", importance: 2, cell: ({ holder }) => textCell(holder) },
  { id: "name", label: "name", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
  { id: "what", label: "asks for", align: "left", importance: 1, cell: ({ claim }) => textCell(askedFor(claim)) },
  {
    id: "state",
    label: "",
    align: "left",
    importance: 1,
    cell: ({ state }) => textCell(state, state === "not trusted" ? "bad" : "plain"),
  },
];

/** The folder of `probe trust [folder]`, and the options as the parser hands them over. */
interface ShowArguments extends GivenOptions {
  readonly folder?: string | undefined;
}

/** `probe trust`: shows what files ask for, and changes nothing. */
export async function showAsks(
  suites: readonly SuiteEntry[],
  given: ShowArguments,
  console: Console,
): Promise<ExitCode> {
  const { json } = parseOptions(SHOW_OPTIONS, given);
  const folder = given.folder ?? null;
  const { needed, free } = await findAsks(suites, { workingDirectory: console.workingDirectory, folder });
  const trusted = await findTrusted(needed);
  const asks: ShownAsk[] = [
    ...needed.map((ask) => ({
      ...ask,
      state: trusted.includes(ask) ? ("trusted" as const) : ("not trusted" as const),
    })),
    ...free.map((ask) => ({ ...ask, state: "no key" as const })),
  ];
  if (json) console.out(`${JSON.stringify({ asks: asks.map(entryOf) }, null, 2)}\n`);
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
