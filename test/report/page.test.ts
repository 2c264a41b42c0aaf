import { describe, expect, it } from "vitest";
import { sentence } from "../../src/report/make-block.js";
import { GENERATOR, type PagePart, pageOf, sectionOf } from "../../src/report/page.js";

function part(changes: Partial<PagePart> = {}): PagePart {
  return {
    subject: "Code review comprehension",
    models: ["oracle"],
    facts: ["2 examples"],
    sections: [sectionOf({ id: "scores", title: "What it scored", blocks: [sentence("One of two.")] })],
    shortTitles: { scores: "Scores" },
    style: ".mine{}",
    script: "mine()",
    data: null,
    ...changes,
  };
}

describe("a page", () => {
  it("names its model, and leads from the contents to each section", async () => {
    const html = await pageOf([part()]);
    expect(html).toContain("<title>oracle · code review comprehension</title>");
    expect(html).toContain('<a href="#scores">Scores</a>');
    expect(html).toMatch(/<section id="scores" aria-labelledby="scores-title"><h2 id="scores-title">What it scored</);
    expect(html).toContain("One of two.");
    expect(html).toContain(GENERATOR);
  });

  it("takes a section's title for the contents where it has no short one", async () => {
    expect(await pageOf([part({ shortTitles: {} })])).toContain('<a href="#scores">What it scored</a>');
  });

  it("joins the parts of several suites, each model counted once", async () => {
    const other = part({
      subject: "Sums",
      models: ["oracle", "tiny"],
      facts: ["6 sums"],
      style: ".other{}",
      script: "other()",
      sections: [sectionOf({ id: "sums", title: "Sums", blocks: [] })],
    });
    const html = await pageOf([part(), other]);
    expect(html).toContain("<h1>2 models</h1>");
    expect(html).toContain("<p>Code review comprehension · Sums</p>");
    expect(html).toContain("2 examples · 6 sums");
    expect(html.indexOf('id="scores"')).toBeLessThan(html.indexOf('id="sums"'));
    for (const text of [".mine{}", ".other{}", "mine()", "other()"]) expect(html).toContain(text);
  });

  it("shows hostile names as text", async () => {
    const html = await pageOf([part({ models: ["<img src=x onerror=alert(1)>"] })]);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });
});
