import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import type { TextTable } from "../../../store/read-csv.js";
import { readText } from "../../../store/text-lines.js";
import { type Fixture, readFixtures } from "../read-fixtures.js";
import { contractsOf, makeupOf, type TestMakeup } from "./contracts.js";

/** Facts about a fixture that tables are grouped by; `null`: nothing tells it. */
export interface FixtureFacts {
  readonly lines: number | null;
  readonly category: string | null;
  /** Of its hidden test. */
  readonly contracts: readonly string[] | null;
  readonly makeup: TestMakeup | null;
}

/** Tests if a table is the released one of fixtures, not of results. */
export function isFixtureTable({ columns }: TextTable): boolean {
  return columns.has("fixture") && columns.has("target_loc") && !columns.has("passes_tests");
}

/**
 * Facts that a table of fixtures tells.
 * @throws ProbeError `bad_input` for a number that is none
 */
export function tableFacts({ name, rows }: TextTable): ReadonlyMap<string, FixtureFacts> {
  return new Map(
    rows.map(({ line, cells }) => {
      const [cell, lines] = [cells["target_loc"] ?? "", Number(cells["target_loc"])];
      if (cell === "" || !Number.isFinite(lines)) {
        throw new ProbeError(
          "bad_input",
          `Expected a number in column target_loc of ${name}, line ${line}, found "${shorten(cell, 80)}".`,
        );
      }
      const category = cells["fixture_category"]?.trim() || null;
      return [cells["fixture"] ?? "", { lines, category, contracts: null, makeup: null }];
    }),
  );
}

/** Facts that the fixtures of a folder tell themselves. */
export async function dataFacts(data: string): Promise<ReadonlyMap<string, FixtureFacts>> {
  const facts = (await readFixtures(data)).map(async (fixture) => [fixture.name, await factsOf(fixture)] as const);
  return new Map(await Promise.all(facts));
}

async function factsOf({ name, folder, target, testFile }: Fixture): Promise<FixtureFacts> {
  const [code, test] = await Promise.all([readText(join(folder, "src", target)), readText(testFile)]);
  return {
    lines: code.split("\n").length,
    category: categoryOf(name, target, code),
    contracts: contractsOf(test),
    makeup: makeupOf(test),
  };
}

const OTHER = "Algorithm/data";

/** Published categories, and the words that tell each of name, path and the beginning of the target; the first that matches stands. */
const CATEGORIES: readonly (readonly [category: string, words: RegExp])[] = [
  ["Mobile / React Native", /react-native|react native|\bexpo\b|react-navigation|src\/screens|\(tabs\)|\.native\./],
  ["React web UI", /\.[jt]sx\b|react|hook|testing-library/],
  ["Utility/API", /api\/|route\.js|auth|command|processor|fetch\(|request|response|database|supabase|localstorage/],
];

/** Category of a fixture by the published rule. */
export function categoryOf(name: string, target: string, code: string): string {
  const text = `${name} ${target} ${code.slice(0, 4000)}`.toLowerCase();
  return CATEGORIES.find(([, words]) => words.test(text))?.[0] ?? OTHER;
}

/** Facts of two sources: where both tell one, that of the first stands. */
export function joinFacts(
  first: ReadonlyMap<string, FixtureFacts>,
  second: ReadonlyMap<string, FixtureFacts>,
): ReadonlyMap<string, FixtureFacts> {
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...names].map((name) => {
      const [one, other] = [first.get(name), second.get(name)];
      return [
        name,
        {
          lines: one?.lines ?? other?.lines ?? null,
          category: one?.category ?? other?.category ?? null,
          contracts: one?.contracts ?? other?.contracts ?? null,
          makeup: one?.makeup ?? other?.makeup ?? null,
        },
      ];
    }),
  );
}
