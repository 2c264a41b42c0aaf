import { flagOf, type GivenOptions, type OptionTable } from "../console/option.js";

/** Options with the folders of the runs that they name, in place of the names. */
export async function withNamedRuns(table: OptionTable, given: GivenOptions): Promise<GivenOptions> {
  const names = Object.keys(table).filter((name) => table[name]?.isRun === true && given[name] !== undefined);
  if (names.length === 0) return given;
  const { folderOfRun } = await import("../run/named-run.js");
  const folders: Record<string, unknown> = {};
  for (const name of names) {
    const value = given[name];
    const found = Array.isArray(value)
      ? await Promise.all(value.map((each) => folderOfRun(String(each))))
      : await folderOfRun(String(value));
    // The parser has an option by either spelling.
    folders[name] = found;
    folders[flagOf(name)] = found;
  }
  return { ...given, ...folders };
}
