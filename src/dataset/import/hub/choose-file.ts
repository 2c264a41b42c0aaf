import { distance } from "fastest-levenshtein";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import type { HubSource } from "../source.js";
import type { HubFile, HubSnapshot } from "./snapshot.js";

const MOST_SHOWN = 10;

/**
 * The file that is meant: the one named, or the only JSONL file there is.
 * @throws ProbeError `bad_input` naming those to choose from
 */
export function chooseFile({ owner, name, file }: HubSource, { files }: Pick<HubSnapshot, "files">): HubFile {
  const jsonl = files.filter(({ path }) => /\.jsonl$/i.test(path));
  const chosen = file === null ? jsonl : files.filter(({ path }) => path === file);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  const dataset = `the dataset ${owner}/${name}`;
  if (file !== null) {
    const near = jsonl.map(({ path }) => path).sort((a, b) => distance(a, file) - distance(b, file));
    throw new ProbeError("bad_input", `Expected a file ${shorten(file, 120)} in ${dataset}, found none.${among(near)}`);
  }
  if (jsonl.length === 0) {
    throw new ProbeError(
      "bad_input",
      `Expected a .jsonl file in ${dataset}, found none. This program reads JSONL only.`,
    );
  }
  throw new ProbeError(
    "bad_input",
    `Expected one .jsonl file in ${dataset}, found ${jsonl.length}. Name one: hf:${owner}/${name}/FILE.` +
      among(jsonl.map(({ path }) => path)),
  );
}

function among(paths: readonly string[]): string {
  if (paths.length === 0) return " It has no JSONL files.";
  const rest = paths.length > MOST_SHOWN ? ` and ${paths.length - MOST_SHOWN} more` : "";
  return ` Its JSONL files: ${paths
    .slice(0, MOST_SHOWN)
    .map((path) => shorten(path, 120))
    .join(", ")}${rest}.`;
}
