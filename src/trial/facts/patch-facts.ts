import { patchedFiles } from "../../workspace/patched-files.js";
import type { TrialFacts } from "../trial-records.js";
import { textRatio } from "./text-ratio.js";

/** Longest patches whose texts are compared character by character: of longer ones that takes minutes. */
const MOST_COMPARED = 40_000;

/** Size of a patch, and how much of what the right solution touches it touches. @param gold `null`: there is none */
export function patchFacts(patch: string, gold: string | null): TrialFacts {
  const own = sizeOf(patch);
  const facts = { edited_files: own.files.size, added_lines: own.added, removed_lines: own.removed };
  if (gold === null) return facts;
  const right = sizeOf(gold);
  const both = [...right.files].filter((path) => own.files.has(path)).length;
  const isShort = patch.length <= MOST_COMPARED && gold.length <= MOST_COMPARED;
  return {
    ...facts,
    gold_files: right.files.size,
    gold_lines: right.added + right.removed,
    all_gold_files_edited: Number(both === right.files.size),
    file_recall: right.files.size === 0 ? null : both / right.files.size,
    file_precision: own.files.size === 0 ? null : both / own.files.size,
    gold_text_ratio: isShort ? textRatio(patch, gold) : null,
  };
}

function sizeOf(patch: string) {
  const files = patchedFiles(patch);
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of].length, 0);
  return {
    files: new Set(files.flatMap(({ before, after }) => [before, after].filter((path) => path !== null))),
    added: sum("added"),
    removed: sum("removed"),
  };
}
