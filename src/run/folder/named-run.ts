import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { didYouMean, nearHint } from "../../base/near-names.js";
import { counted, shorten } from "../../base/text.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import { findRuns, newestFirst } from "./list-runs.js";
import { ANY_RUN, RUN_FILE } from "./run-folder.js";

/** Numbers that name no year. */
const NUMBER = /^\d{1,3}$/;

/** Name of the newest run. */
const LATEST = "latest";

/** Folders of the runs under `results`, in the order of `probe runs`; none where there is no such folder. */
async function resultRuns(): Promise<string[]> {
  if (!existsSync(RESULTS_FOLDER)) return [];
  const folders = await findRuns(RESULTS_FOLDER);
  const runs = await Promise.all(
    folders.map(async (folder) => {
      // A record that cannot be read has no date; the command that is given it says what is wrong with it.
      const record = await ANY_RUN.find(folder).catch(() => null);
      return { folder, createdAt: record?.times.created_at ?? null };
    }),
  );
  return runs.sort(newestFirst).map(({ folder }) => folder);
}

/** Names that runs under `results` have. */
export async function runNames(): Promise<string[]> {
  const folders = await resultRuns();
  return folders.length === 0 ? [] : [LATEST, ...folders.map((folder) => basename(folder))];
}

/**
 * The folder that a run is named by: itself, `latest`, a number of `probe runs`, or the name of a folder under
 * `results`, or its beginning where one begins so. A folder that is there comes first.
 * @throws ProbeError `bad_input` for none, or for several
 */
export async function folderOfRun(name: string): Promise<string> {
  if (existsSync(name)) {
    await requireRunFolder(name);
    return name;
  }
  const folders = await resultRuns();
  const [newest] = folders;
  const numbered = /^[1-9]\d{0,5}$/.test(name) ? folders[Number(name) - 1] : undefined;
  const found = name === LATEST ? newest : numbered;
  if (found !== undefined) return found;
  // Every name begins with a 2, the millennium: a short number that is too high names no run.
  if (NUMBER.test(name)) throw new ProbeError("bad_input", noneText(name, folders));
  const whole = folders.filter((folder) => basename(folder) === name);
  const begun = whole.length > 0 ? whole : folders.filter((folder) => basename(folder).startsWith(name));
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return only;
  throw new ProbeError("bad_input", begun.length > 1 ? severalText(name, begun) : noneText(name, folders));
}

/**
 * Refuses what is no run and has one around it, or runs below it.
 * @throws ProbeError `bad_input` naming them
 */
async function requireRunFolder(path: string): Promise<void> {
  const isRecord = basename(path) === RUN_FILE;
  const meant = isRecord ? [dirname(path)] : await runsBelow(path);
  if (meant.length === 0) return;
  const found = isRecord ? "its record" : `a folder with ${counted(meant.length, "runs")}`;
  throw new ProbeError(
    "bad_input",
    `Expected a folder of a run, found ${found}: ${shorten(path, 120)}.${didYouMean(meant.slice(0, MOST_MEANT))}`,
  );
}

async function runsBelow(path: string): Promise<string[]> {
  const isFolder = (await stat(path)).isDirectory();
  return !isFolder || existsSync(join(path, RUN_FILE)) ? [] : await findRuns(path);
}

const MOST_MEANT = 3;
const MOST_SHOWN = 5;

function severalText(name: string, folders: readonly string[]): string {
  const names = folders.slice(0, MOST_SHOWN).map((folder) => basename(folder));
  const more = folders.length > names.length ? ` and ${folders.length - names.length} more` : "";
  return `Expected "${shorten(name, 120)}" to begin the name of one run, found ${folders.length}: ${names.join(", ")}${more}.`;
}

function noneText(name: string, folders: readonly string[]): string {
  if (folders.length === 0) {
    return `Expected a folder of a run, found none at ${shorten(name, 120)}, and no runs in ${RESULTS_FOLDER}. \`probe run\` makes one.`;
  }
  const names = [LATEST, ...folders.map((folder) => basename(folder))];
  const all = name.split(",");
  const isList = all.length > 1 && all.every((each) => names.includes(basename(each)));
  const near = isList ? didYouMean([all.join(" ")]) : nearHint(basename(name), names);
  return (
    `Expected a folder of a run, ${LATEST}, a number or the beginning of a name (\`probe runs\` lists them), ` +
    `found ${shorten(name, 120)}.${near}`
  );
}
