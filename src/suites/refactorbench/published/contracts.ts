import { join } from "node:path";
import { badInput } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import type { TextTable } from "../../../store/read-csv.js";
import { readText } from "../../../store/text-lines.js";
import { type Fixture, readFixtures } from "../read-fixtures.js";

/** Families of what hidden tests demand, and the words that tell each, in small letters, anywhere in a word. */
export const CONTRACT_FAMILIES: readonly (readonly [family: string, words: RegExp])[] = [
  [
    "Computed domain state",
    /total|balance|percentage|allocation|metric|count|budget|streak|gain|loss|score|progress|calculation|computed|equal|unique|maxkb/,
  ],
  [
    "Initial render and visible copy",
    /getbytext|querybytext|getallbytext|tobeinthedocument|initial rendering|\brenders?\b|shows? (?:(?!shows? ).)*default/,
  ],
  ["Search, filtering, and sorting", /search|filter|sort|dropdown|select|querybytext/],
  [
    "Module exports and data shape",
    /exports? a default|tohaveproperty|array\.isarray|typeof|undefined|null|required fields|data integrity|non-empty array|full expected shape/,
  ],
  [
    "Forms, modals, and CRUD flows",
    /modal|form|submit|add |create |edit |delete|remove|save|cancel|confirm|record transaction/,
  ],
  [
    "Navigation and view switching",
    /navigation|sidebar|tab|route|userouter|switches to|clicking (?:(?!clicking ).)*shows|active view/,
  ],
  [
    "API, auth, and external side effects",
    /fetch|api|auth|signin|signup|database|db|request|response|url\.createobjecturl|share|alert|haptics|notification/,
  ],
  [
    "Accessibility and semantic selectors",
    /getbyrole|getbylabeltext|getbyplaceholdertext|accessibilitylabel|aria-label|role=/,
  ],
  ["Browser or device persistence", /localstorage|asyncstorage|getitem|setitem|removeitem|persist/],
  ["Async behavior and timers", /waitfor|act\(|usefaketimers|advancetimers|mockresolvedvalue|promise|async/],
  [
    "Mobile/native runtime behavior",
    /react-native|expo-|touchableopacity|safearea|usefocuseffect|native|gesture|haptic/,
  ],
];

/** The families of a hidden test, by all of its text. "tab" is in table, "api" in capital: the published rule, which means less than it seems to. */
export function contractsOf(text: string): string[] {
  const lower = text.toLowerCase();
  return CONTRACT_FAMILIES.filter(([, words]) => words.test(lower)).map(([family]) => family);
}

/** Counts of what a hidden test is made of. */
interface TestMakeup {
  readonly test_count: number;
  readonly assertion_count: number;
  readonly interaction_count: number;
  readonly async_wait_count: number;
}

/** Counts of tests with a literal name, expectations, interactions with a page, and waits. */
export function makeupOf(text: string): TestMakeup {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    test_count: count(/\b(?:test|it)\(\s*["'`]/g),
    assertion_count: count(/\bexpect\(/g),
    interaction_count: count(/\b(?:fireEvent|userEvent)\./g),
    async_wait_count: count(/\b(?:waitFor|act)\(/g),
  };
}

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
        throw badInput(
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
