import type { Model } from "../model.js";

/**
 * What the check of a server warns of: of the way to numbers, and of the way to completions where that is another and
 * `writes` says that it is used.
 */
export function checkNotes({ check }: Pick<Model, "check">, { writes }: { readonly writes: boolean }): string[] {
  const chosen = check?.ways.find(({ way }) => way === check.chosen);
  if (check === undefined || chosen === undefined) return [];
  const writing = check.ways.find(({ extraction, status }) => extraction === "completion" && status === "works");
  const forced = check.forced ? ["FORCED: the check refused this server; its numbers may mean nothing."] : [];
  const used = new Set([chosen, ...(writing === undefined || !writes ? [] : [writing])]);
  return [...forced, ...[...used].flatMap(({ way, notes }) => notes.map((note) => `Model check (${way}): ${note}.`))];
}
