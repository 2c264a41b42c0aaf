import { sum } from "simple-statistics";
import { proportion } from "../../../stats/interval.js";
import type { RealityFact } from "../../../verdict/verdict.js";

/** What of a finished audit says whether its data were seen before. */
export interface KnownAudit {
  readonly model: { readonly label: string };
  readonly benchmarks: readonly { readonly name: string; readonly sha256: string }[];
  readonly results: {
    readonly memorised: readonly { readonly benchmark: string }[];
    readonly counts: readonly {
      readonly benchmark: string;
      readonly forms: readonly { readonly form?: string; readonly scored: number }[];
    }[];
  };
}

/** Whose answers, and about which data. */
interface AskedData {
  readonly model: { readonly label: string };
  readonly dataset: { readonly sha256: string };
}

/** Whether the model has seen the data of a run before, as the first audit of it with these very data found. */
export function knownData({ model, dataset }: AskedData, audits: readonly KnownAudit[]): RealityFact {
  const title = "texts that look memorised";
  const [found] = audits.flatMap(({ model: { label }, benchmarks, results }) => {
    const own = label === model.label ? benchmarks.find(({ sha256 }) => sha256 === dataset.sha256) : undefined;
    return own === undefined ? [] : [{ name: own.name, results }];
  });
  if (found === undefined)
    return { title, share: null, state: "unknown", text: "not audited: probe audit, and its folder beside the run" };
  const { memorised, scored, ...fact } = memorisedTexts(found.name, found.results);
  return { title, ...fact, text: `${memorised} of ${scored} texts of ${found.name}` };
}

/** How many texts of a benchmark look memorised, and what to think of it. */
export function memorisedTexts(name: string, { memorised: all, counts }: KnownAudit["results"]) {
  const memorised = all.filter(({ benchmark }) => benchmark === name).length;
  const forms = counts.find(({ benchmark }) => benchmark === name)?.forms ?? [];
  // Renamed code is never among the memorised: nobody can have seen it.
  const scored = sum(forms.flatMap(({ form, scored: own }) => (form === "ACR_RENAMED" ? [] : own)));
  const state = memorised === 0 ? ("good" as const) : ("doubtful" as const);
  return { memorised, scored, share: proportion(memorised, scored), state };
}
