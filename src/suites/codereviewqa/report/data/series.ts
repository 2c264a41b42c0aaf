import type { ChartSeries, ChartSymbol } from "../../../../report/block.js";
import type { ReportModel } from "./report-data.js";

/** How a model looks in every chart; no two labels are the same. */
export interface Series extends ChartSeries {
  readonly model: ReportModel;
}

const SYMBOLS: readonly ChartSymbol[] = ["circle", "square2", "triangle2", "diamond2", "star", "wye", "cross", "plus"];

/** Colours that the page's style has for models: `--c1` … */
const COLORS = 8;

/** More models than this no chart keeps apart: the others are in the tables alone. */
const MAX_CHARTED = 12;

/** Longest label, in characters. */
const MAX_LABEL = 16;

/** The models that charts show: the first ones. */
export function chartSeries(models: readonly ReportModel[]): Series[] {
  const charted = models.slice(0, MAX_CHARTED);
  const labels = shortLabels(charted.map(({ name }) => name));
  return charted.map((model, i) => ({
    model,
    label: labels[i] ?? model.name,
    color: `var(--c${(i % COLORS) + 1})`,
    symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle",
  }));
}

/** Names without provider and folder where that leaves them apart, cut in the middle, numbered if they still agree. */
export function shortLabels(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replace(/^[a-z]+:(?=.)/, "").replace(/^.*[/\\](?=.)/, ""));
  const chosen = names.map((name, i) => {
    const short = bare[i] ?? name;
    return bare.filter((other) => other === short).length === 1 ? short : name;
  });
  const taken = new Set<string>();
  return chosen.map((name) => {
    let label = cutMiddle(name, MAX_LABEL);
    for (let i = 2; taken.has(label); i++) label = `${cutMiddle(name, MAX_LABEL - 3)} ${i}`;
    taken.add(label);
    return label;
  });
}

function cutMiddle(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const end = Math.floor((length - 1) * 0.4);
  return `${characters.slice(0, length - 1 - end).join("")}…${characters.slice(-end).join("")}`;
}
