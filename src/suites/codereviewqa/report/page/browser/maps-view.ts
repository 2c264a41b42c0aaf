import { attributed, dataText, element } from "../../../../../review/page/dom.js";
import type { OrderView } from "./store.js";

/** One model's answers to a question in all its orders. */
export interface ModelOrders {
  readonly name: string;
  /** Such as `right under 12 of 24 orders asked`. */
  readonly words: string;
  readonly orders: readonly OrderView[];
}

const SIGNS: Readonly<Record<OrderView["state"], string>> = {
  right: " ✓",
  wrong: "",
  undecided: "?",
  failed: "!",
  "not asked": "·",
};

/**
 * The permutation maps of all models, one beside the other: a row a letter at which the right option stands, a cell an
 * order, in every map at the same place.
 */
export function mapsView(maps: readonly ModelOrders[], onPick: (model: number, order: number) => void): HTMLElement[] {
  const frame = element("div", "maps");
  for (const [i, map] of maps.entries()) frame.append(mapOf(map, (order) => onPick(i, order)));
  const save = svgButton("permutation map", () => mapSvg(maps));
  const words =
    "A row a letter at which the right option stands, a cell an order: the letter chosen, ✓ where it is right. ";
  return [element("p", "soft", words, save), frame];
}

function lettersOf(orders: readonly OrderView[]): string[] {
  return [...new Set(orders.map(({ rightLetter }) => rightLetter))].sort();
}

function mapOf({ name, words, orders }: ModelOrders, onPick: (order: number) => void): HTMLElement {
  const letters = lettersOf(orders);
  const cells = orders.map((order, i) => cell(order, () => onPick(i)));
  const map = attributed(element("div", "cells"), { role: "group", "aria-label": `Permutation map of ${name}` });
  map.style.setProperty("--cells", String(orders.length / Math.max(letters.length, 1)));
  for (const letter of letters) {
    map.append(element("span", "", letter), ...cells.filter((_, i) => orders[i]?.rightLetter === letter));
  }
  return element("div", "map", element("p", "", element("b", "", dataText(name)), ` ${words}`), map);
}

function cell(order: OrderView, onPick: () => void): HTMLElement {
  const { state, chosen, options } = order;
  const what = chosen === null ? order.reason : `chose ${chosen}`;
  const title = `order ${options.join("")}: ${what === "" ? "" : `${what}, `}${state}`;
  const made = element("button", state === "not asked" ? "none" : state, `${chosen ?? ""}${SIGNS[state]}`);
  const button = attributed(made, { type: "button", "aria-label": title, title });
  button.addEventListener("click", onPick);
  return button;
}

const CELL = 30;
const GAP = 24;

/** The same as a picture. */
function mapSvg(maps: readonly ModelOrders[]): SVGSVGElement {
  const svg = svgElement("svg", {});
  let [x, height] = [0, 0];
  for (const { name, orders } of maps) {
    const letters = lettersOf(orders);
    const columns = orders.length / Math.max(letters.length, 1);
    svg.append(label(x, 14, name, "start"));
    for (const [row, letter] of letters.entries()) {
      const y = 22 + row * CELL;
      svg.append(label(x + 8, y + 20, letter, "middle"));
      for (const [column, order] of orders.filter(({ rightLetter }) => rightLetter === letter).entries()) {
        svg.append(...square(order, x + 20 + column * CELL, y));
      }
    }
    height = Math.max(height, 26 + letters.length * CELL);
    x += 20 + Math.max(columns * CELL, name.length * 7) + GAP;
  }
  svg.setAttribute("viewBox", `0 0 ${x} ${height}`);
  return svg as SVGSVGElement;
}

function square({ state, chosen }: OrderView, x: number, y: number): SVGElement[] {
  const fill = state === "not asked" ? "var(--line)" : `var(--${state === "failed" ? "undecided" : state})`;
  const size = CELL - 3;
  const box = svgElement("rect", { x, y, width: size, height: size, rx: 4, fill });
  const text = label(x + size / 2, y + 18, `${chosen ?? ""}${SIGNS[state]}`, "middle");
  text.setAttribute("fill", "var(--on-mark)");
  return [box, text];
}

function label(x: number, y: number, text: string, anchor: string): SVGElement {
  const made = svgElement("text", { x, y, "text-anchor": anchor, fill: "var(--ink)" });
  made.textContent = text;
  return made;
}

const TRACE = { width: 240, height: 60, edge: 6 };

/** The answer along the thoughts as a small plot: percent of the orders right after each part. */
export function traceView(percents: readonly number[]): SVGElement {
  const { width, height, edge } = TRACE;
  const x = (part: number) => edge + ((part + 1) / percents.length) * (width - 2 * edge);
  const y = (percent: number) => edge + (1 - percent / 100) * (height - 2 * edge);
  const words = `Right after each part of the thoughts: ${percents.map((percent) => `${percent} %`).join(", ")}`;
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words });
  for (const percent of [0, 50, 100])
    svg.append(
      svgElement("line", { x1: edge, x2: width - edge, y1: y(percent), y2: y(percent), stroke: "var(--line)" }),
    );
  const points = percents.map((percent, i) => `${x(i)},${y(percent)}`).join(" ");
  svg.append(svgElement("polyline", { points, fill: "none", stroke: "var(--c1)", "stroke-width": 2 }));
  for (const [i, percent] of percents.entries())
    svg.append(svgElement("circle", { cx: x(i), cy: y(percent), r: 2.5, fill: "var(--c1)" }));
  return svg;
}

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  return attributed(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
}

/** A button that hands a picture out as a file: an SVG that needs nothing of the page. */
function svgButton(name: string, picture: () => SVGSVGElement): HTMLElement {
  const attributes = { type: "button", "aria-label": `Save ${name} as SVG` };
  const button = attributed(element("button", "plain small", "SVG"), attributes);
  button.addEventListener("click", () => save(`${fileName(name)}.svg`, standAlone(picture())));
  return button;
}

/** Every plot of the page gets such a button. */
export function offerPlots(): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure.chart")) {
    const svg = figure.querySelector("svg");
    const caption = figure.querySelector("figcaption");
    if (svg === null || caption === null) continue;
    caption.append(
      " ",
      svgButton(caption.textContent?.trim() ?? "plot", () => svg),
    );
  }
}

/** A copy whose colours are numbers, not the page's variables. */
function standAlone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const style = getComputedStyle(document.documentElement);
  const shown = document.createElement("span");
  shown.hidden = true;
  document.body.append(shown);
  const colour = (value: string): string => {
    shown.style.color = value;
    return getComputedStyle(shown).color;
  };
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name, value } of part.attributes) {
      if (value.startsWith("var(")) part.setAttribute(name, colour(value));
    }
  }
  const color = colour(style.getPropertyValue("--ink"));
  shown.remove();
  const whole = { xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, sans-serif", "font-size": 12, color };
  return new XMLSerializer().serializeToString(attributed(copy, whole));
}

function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Letters, digits and dashes of a title. */
function fileName(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "plot"
  );
}
