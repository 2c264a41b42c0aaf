import type { GroupBlock, ProfileAxis } from "../../../../../report/block.js";
import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { floorOf } from "../../scores.js";
import type { PageParts } from "../page-parts.js";

/** Fewer axes make no area. */
const LEAST_AXES = 3;

/** One picture a model of what it can and cannot do: the radar, and plain bars. */
export function profileSection({ data, series }: PageParts): BlockSection {
  // As in the paper's Table 2: what is to be written first, then what it takes.
  const forms = data.forms
    .filter(({ ablation }) => ablation === undefined)
    .sort((a, b) => Number(a.probe.kind === "choice") - Number(b.probe.kind === "choice"));
  const charts = series.map((one): GroupBlock => {
    const axes = forms.flatMap((form): ProfileAxis[] => {
      const metrics = one.model.metrics.get(form);
      if (metrics?.isAsked !== true) return [];
      const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
      return [{ name: form.name, value, low, high, floor: floorOf(metrics.find)?.value ?? null }];
    });
    const radar = {
      kind: "chart",
      title: `Profile of ${one.label}`,
      chart: { type: "radar", series: one, axes },
    } as const;
    const bars = {
      kind: "chart",
      title: `${one.label}: score by probe`,
      chart: { type: "bars", series: one, axes },
    } as const;
    return { kind: "group", layout: "pair", blocks: axes.length >= LEAST_AXES ? [radar, bars] : [bars] };
  });
  return {
    id: "profile",
    title: "Profile",
    blocks: [
      lead(
        "Writing the revision (ACR, where it was asked) beside what it takes: recognising the change (CTR), finding the " +
          "place (CL), knowing the revision (SI). Right under all orders; exact match for ACR.",
      ),
      { kind: "group", layout: series.length === 1 ? "single" : "charts", blocks: charts },
    ],
  };
}
