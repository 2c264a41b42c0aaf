import { type PlotOptions, plot } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { contentMarkup, type Markup, markup } from "../../web/markup.js";

/** The plots are made of elements; this document makes them, and holds none. */
const document = plotDocument(parseHTML("<!doctype html><html><body></body></html>").document);

/** How wide a chart is, in pixels: what fits a phone. Wider screens show several side by side. */
const CHART_WIDTH = 340;

/** What a chart says in words. */
export interface ChartText {
  readonly title: string;
  /** The numbers, for those who cannot see them. */
  readonly description: string;
}

/**
 * Draws a chart as an SVG with a title and a description. Colours are the page's own variables, so that one chart serves
 * light and dark; nothing in it needs a style element or attribute, which the page's security policy would stop.
 */
export function figure({ title, description }: ChartText, options: PlotOptions): Markup {
  const svg = draw(options);
  const viewBox = svg.getAttribute("viewBox") ?? "";
  const inner = contentMarkup(svg);
  return markup`<figure class="chart"><svg role="img" viewBox="${viewBox}" fill="currentColor" text-anchor="middle"><title>${title}</title><desc>${description}</desc>${inner}</svg><figcaption>${title}</figcaption></figure>`;
}

const MARK_SIZE = 16;

/** A sign of a legend: no words of its own. */
export function smallMark(options: PlotOptions): Markup {
  const scales = { x: { domain: [-1, 1], axis: null }, y: { domain: [-1, 1], axis: null } } as const;
  const svg = draw({ ...scales, width: MARK_SIZE, height: MARK_SIZE, margin: 0, ...options });
  return markup`<svg aria-hidden="true" class="mark" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}">${contentMarkup(svg)}</svg>`;
}

/** The two packages' types of a document do not know each other; this one makes what plots are made of. */
function plotDocument(made: unknown): Document {
  if (isDocument(made)) return made;
  throw new Error("Expected a document that makes elements.");
}

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && "createElementNS" in value && "createTextNode" in value;
}

function draw(options: PlotOptions): Element {
  const drawn = plot({ width: CHART_WIDTH, document, ...options });
  const svg = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg");
  if (svg === null) throw new Error("Expected the plot to be an SVG.");
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const element of svg.querySelectorAll("*")) {
    // One picture with one text: labels of its parts ("y-axis tick") say nothing by themselves.
    for (const name of ["style", "class", "aria-label", "aria-hidden"]) element.removeAttribute(name);
  }
  return svg;
}
