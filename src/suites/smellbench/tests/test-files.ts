/** Files by which whole runs of pytest are set up, wherever they are. */
const SET_UP = new Set([
  ...["conftest.py", "pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"],
  ...["tox.ini", "setup.cfg", "pyproject.toml"],
]);

/**
 * The files that decide what tests say: those that a case names, what is in folders that it names, and those that set pytest
 * up. A solution may not change them.
 * @param testsuites such as `tests/test_a.py::TestA::test_b` or `test/a.test.js`
 */
export function testFilesAmong(paths: readonly string[], testsuites: readonly string[]): string[] {
  const named = testsuites.map((test) => (test.split("::")[0] ?? "").replace(/^\.\//, "").replace(/\/$/, ""));
  return paths.filter((path) => {
    const isNamed = named.some((name) => path === name || path.startsWith(`${name}/`));
    return isNamed || SET_UP.has(path.split("/").at(-1) ?? "");
  });
}
