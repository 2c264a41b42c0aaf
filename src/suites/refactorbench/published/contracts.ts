/** Families of what hidden tests demand, by the words that tell each; letters of either case, anywhere in a word. */
export const CONTRACT_FAMILIES: readonly (readonly [family: string, words: readonly (string | RegExp)[]])[] = [
  [
    "Computed domain state",
    [
      "total",
      "balance",
      "percentage",
      "allocation",
      "metric",
      "count",
      "budget",
      "streak",
      "gain",
      "loss",
      "score",
      "progress",
      "calculation",
      "computed",
      "equal",
      "unique",
      "maxkb",
    ],
  ],
  [
    "Initial render and visible copy",
    [
      "getbytext",
      "querybytext",
      "getallbytext",
      "tobeinthedocument",
      "initial rendering",
      /\brenders?\b/i,
      /shows? .*default/i,
    ],
  ],
  ["Search, filtering, and sorting", ["search", "filter", "sort", "dropdown", "select", "querybytext"]],
  [
    "Module exports and data shape",
    [
      "export a default",
      "exports a default",
      "tohaveproperty",
      "array.isarray",
      "typeof",
      "undefined",
      "null",
      "required fields",
      "data integrity",
      "non-empty array",
      "full expected shape",
    ],
  ],
  [
    "Forms, modals, and CRUD flows",
    [
      "modal",
      "form",
      "submit",
      "add ",
      "create ",
      "edit ",
      "delete",
      "remove",
      "save",
      "cancel",
      "confirm",
      "record transaction",
    ],
  ],
  [
    "Navigation and view switching",
    ["navigation", "sidebar", "tab", "route", "userouter", "switches to", /clicking .*shows/i, "active view"],
  ],
  [
    "API, auth, and external side effects",
    [
      "fetch",
      "api",
      "auth",
      "signin",
      "signup",
      "database",
      "db",
      "request",
      "response",
      "url.createobjecturl",
      "share",
      "alert",
      "haptics",
      "notification",
    ],
  ],
  [
    "Accessibility and semantic selectors",
    ["getbyrole", "getbylabeltext", "getbyplaceholdertext", "accessibilitylabel", "aria-label", "role="],
  ],
  ["Browser or device persistence", ["localstorage", "asyncstorage", "getitem", "setitem", "removeitem", "persist"]],
  [
    "Async behavior and timers",
    ["waitfor", "act(", "usefaketimers", "advancetimers", "mockresolvedvalue", "promise", "async"],
  ],
  [
    "Mobile/native runtime behavior",
    ["react-native", "expo-", "touchableopacity", "safearea", "usefocuseffect", "native", "gesture", "haptic"],
  ],
];

/** The families of a hidden test, by all of its text. "tab" is in table, "api" in capital: the published rule, which means less than it seems to. */
export function contractsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const has = (word: string | RegExp) => (typeof word === "string" ? lower.includes(word) : word.test(text));
  return CONTRACT_FAMILIES.filter(([, words]) => words.some(has)).map(([family]) => family);
}

/** Counts of what a hidden test is made of. */
export interface TestMakeup {
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
