/**
 * Whether a path looks like one of tests: under `test/`, `tests/` or `*_tests/`, or a file `test_*`, `*_test.py`,
 * `*_test.go`, `*.test.*`, `*.spec.*`, `*.uts`; letters of either case.
 */
export function isTestPath(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.split("/").at(-1) ?? "";
  const folders = lower.split("/").slice(0, -1);
  return (
    folders.some((folder) => folder === "test" || folder === "tests" || folder.endsWith("_tests")) ||
    /^test_|_test\.(py|go)$|\.(test|spec)\.|\.uts$/.test(name)
  );
}
