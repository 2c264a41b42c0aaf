import { attributed, element } from "../../../../../review/page/dom.js";

/** A button that hands a picture out as a file: an SVG that needs nothing of the page. */
export function svgButton(name: string, picture: () => SVGSVGElement): HTMLElement {
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
