import { describe, expect, it } from "vitest";
import type { Block } from "../../src/report/block.js";
import { heading, numberCell, sentence, tableOf, textCell } from "../../src/report/make-block.js";
import { renderMarkdown } from "../../src/report/markdown.js";

const markdownOf = (...blocks: Block[]) => renderMarkdown(blocks).trimEnd();

describe("Markdown", () => {
  it("keeps words as they are, and shows signs instead of obeying them", () => {
    expect(markdownOf(sentence("Qwen2.5-Coder-1.5B-Instruct"))).toBe("Qwen2.5-Coder-1.5B-Instruct");
    expect(markdownOf(sentence("a_b*c"))).toBe("a\\_b\\*c");
    expect(markdownOf(sentence("# no heading"))).toBe("\\# no heading");
    expect(markdownOf(sentence("    no code"))).toBe("no code");
    expect(markdownOf(sentence("1. no list"))).toBe("1\\. no list");
    expect(markdownOf(sentence("<img>\n\u001b[2J@team www.a.b http://c"))).toBe(
      "&lt;img&gt;\\\\u000a\\\\u001b\\[2J\\@team www\\.a.b http\\://c",
    );
  });

  it("has tables whose cells no text can leave", () => {
    const table = tableOf<string>(
      "About | it",
      [
        { id: "a", label: "a|b", align: "left", importance: 1, cell: (text) => textCell(text) },
        {
          id: "b",
          label: "n",
          align: "right",
          importance: 3,
          cell: () => numberCell(0.5, "fraction", { isBest: true }),
        },
      ],
      ["x | y\nz"],
    );
    expect(markdownOf(table)).toBe(
      "**About \\| it**\n\n| a\\|b | n |\n| --- | ---: |\n| x \\| y\\\\u000az | **50.0 %** |",
    );
  });

  it("has code that no fence within it can end", () => {
    expect(markdownOf({ kind: "code", text: "a\n```\nb" })).toBe("````text\na\n```\nb\n````");
    expect(markdownOf(sentence({ kind: "code", text: "a`b" }))).toBe("`` a`b ``");
  });

  it("folds details, and leaves pictures out", () => {
    const chart: Block = { kind: "chart", title: "t", chart: { type: "intervals", points: [] } };
    expect(markdownOf({ kind: "details", summary: "<b>", blocks: [heading(3, "x"), chart] })).toBe(
      "<details>\n\n<summary>&lt;b&gt;</summary>\n\n### x\n\n</details>",
    );
  });
});
