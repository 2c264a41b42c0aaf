import { LEAST_AXES, type ProfileAxis, profileBars, radarChart } from "../charts/profile.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import type { Section } from "../section.js";
import { floorValue } from "./score-text.js";

/** One picture a model of what it can and cannot do: the radar, and plain bars. */
export function profileSection({ data, series }: PageParts): Section {
  // As in the paper's Table 2: what is to be written first, then what it takes.
  const forms = [...data.forms].sort((a, b) => Number(a.probe.kind === "choice") - Number(b.probe.kind === "choice"));
  const charts = series.map((one): Markup => {
    const axes = forms.flatMap((form): ProfileAxis[] => {
      const metrics = one.model.metrics.get(form);
      if (metrics?.isAsked !== true) return [];
      const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
      return [{ name: form.name, value, low, high, floor: floorValue(metrics) }];
    });
    return markup`<div class="pair">${axes.length >= LEAST_AXES && radarChart(one, axes)}${profileBars(one, axes)}</div>`;
  });
  return {
    id: "profile",
    title: "Profile",
    body: markup`<p class="lead">Writing the revision (ACR, where it was asked) beside what it takes: recognising the change (CTR), finding the place (CL), knowing the revision (SI). Right under all orders; exact match for ACR.</p><div class="charts${series.length === 1 && " single"}">${charts}</div>`,
  };
}
