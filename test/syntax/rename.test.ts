import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../src/base/language.js";
import { readTriples } from "../../src/dataset/triple.js";
import { loadSyntax } from "../../src/syntax/load.js";
import { type RenamedReview, type ReviewTexts, renameIdentifiers } from "../../src/syntax/rename.js";

const STARTER = "datasets/starter.jsonl";

async function rename(
  language: Language,
  texts: Partial<ReviewTexts> & Pick<ReviewTexts, "preReviewCode">,
  seed = 1,
): Promise<RenamedReview | null> {
  const { preReviewCode } = texts;
  return renameIdentifiers(await loadSyntax(language), { review: "", postReviewCode: preReviewCode, ...texts }, seed);
}

async function namesOf(language: Language, code: string): Promise<string[]> {
  return [...((await rename(language, { preReviewCode: code }))?.names.keys() ?? [])];
}

describe("the names that are replaced", () => {
  it.each<[Language, string, string[]]>([
    ["c", 'static int load_tile(struct tile *out) { return puts("load_tile"); }', ["load_tile", "tile", "out", "puts"]],
    ["cpp", "std::vector<Tile> tiles; tiles.push_back(Tile{});", ["vector", "Tile", "tiles", "push_back"]],
    ["csharp", "public string Name => this.label ?? null;", ["Name", "label"]],
    ["go", "func (s *Server) Stop() error { return nil }", ["Server", "Stop"]],
    ["java", "private List<String> names = new ArrayList<>();", ["List", "names", "ArrayList"]],
    ["javascript", "const { width, height: tall } = console.size;", ["width", "height", "tall", "size"]],
    ["php", "$total = $this->addUp($rows, 'rows');", ["total", "addUp", "rows"]],
    ["python", "def __init__(self, table): self.rows = len(table)", ["table", "rows"]],
    ["ruby", "attr_reader :name\n@name = other.strip if other", [":name", "@name", "other", "strip"]],
  ])("in %s are the code's own", async (language, code, expected) => {
    expect((await namesOf(language, code)).sort()).toEqual([...expected].sort());
  });

  it("have more than one letter, keywords and built-in types aside", async () => {
    // `s` and `i` have one letter, `string` and `len` are Go's own.
    expect(await namesOf("go", "for i := 0; i < len(s); i++ { var s string }")).toEqual([]);
    expect(await rename("go", { preReviewCode: "for i := 0; i < len(s); i++ { var s string }" })).toBeNull();
  });

  it("are not those of HTML tags", async () => {
    expect(await namesOf("javascript", "const view = <div><Panel title={label} /></div>;")).not.toContain("div");
  });
});

describe("the names in their place", () => {
  it("replace words: what shared a word still does, in its own style", async () => {
    const code = "load_tile(TileCache, TILE_BYTES, reloadTile)";
    const { names } = (await rename("python", { preReviewCode: code }))!;
    const tile = names.get("load_tile")!.split("_")[1]!;
    expect(tile).toMatch(/^[a-z]{4}$/);
    expect(tile).not.toBe("tile");
    expect(names.get("TileCache")).toMatch(new RegExp(`^${tile[0]!.toUpperCase()}${tile.slice(1)}[A-Z][a-z]{4}$`));
    expect(names.get("TILE_BYTES")).toMatch(new RegExp(`^${tile.toUpperCase()}_[A-Z]{5}$`));
    expect(names.get("reloadTile")).toMatch(new RegExp(`^[a-z]{6}${tile[0]!.toUpperCase()}${tile.slice(1)}$`));
  });

  it("are the same before and after the review, and nowhere else", async () => {
    const renamed = (await rename("python", {
      preReviewCode: 'rows = fetch("rows")',
      postReviewCode: 'rows = fetch("rows", limit)',
    }))!;
    const [rows, fetch, limit] = ["rows", "fetch", "limit"].map((name) => renamed.names.get(name));
    expect(renamed.preReviewCode).toBe(`${rows} = ${fetch}("rows")`);
    expect(renamed.postReviewCode).toBe(`${rows} = ${fetch}("rows", ${limit})`);
  });

  it("depend on the seed alone", async () => {
    const code = { preReviewCode: "total = count(rows)" };
    expect(await rename("python", code, 5)).toEqual(await rename("python", code, 5));
    expect((await rename("python", code, 6))?.preReviewCode).not.toBe((await rename("python", code, 5))?.preReviewCode);
  });

  it("reach into the body of a macro", async () => {
    const { preReviewCode, names } = (await rename("c", {
      preReviewCode: "#define LIMIT (size * count)\nint size;\n",
    }))!;
    expect(preReviewCode).toBe(
      `#define ${names.get("LIMIT")} (${names.get("size")} * count)\nint ${names.get("size")};\n`,
    );
  });
});

describe("the prose", () => {
  const code = "key = read_key(keyFile)";
  const renamedReview = async (review: string) => {
    const { review: renamed, names } = (await rename("python", { preReviewCode: code, review }))!;
    return { renamed, key: names.get("key"), readKey: names.get("read_key"), keyFile: names.get("keyFile") };
  };

  it("names code where it is spelled as code, called, or between backticks", async () => {
    const { renamed, key, readKey, keyFile } = await renamedReview("`key` comes from read_key; keyFile? See key().");
    expect(renamed).toBe(`\`${key}\` comes from ${readKey}; ${keyFile}? See ${key}().`);
  });

  it("keeps words that the code happens to use", async () => {
    expect((await renamedReview("The key is missing.")).renamed).toBe("The key is missing.");
    expect((await renamedReview("The key` is missing.")).renamed).toBe("The key` is missing.");
  });

  it("names code in a block of it", async () => {
    const { renamed, key } = await renamedReview("Better:\n```\nkey = 1\n```\nThe key.");
    expect(renamed).toBe(`Better:\n\`\`\`\n${key} = 1\n\`\`\`\nThe key.`);
  });

  it("names code however many blank lines stand before it", async () => {
    const blank = "\n".repeat(100_000);
    const { renamed, key } = await renamedReview(`${blank}${"The key.\n".repeat(30)}\`key\``);
    expect(renamed).toBe(`${blank}${"The key.\n".repeat(30)}\`${key}\``);
  });

  it("of comments is renamed likewise", async () => {
    const comment = await rename("python", { preReviewCode: "# read_key gives the key\nkey = read_key()" });
    expect(comment?.preReviewCode.split("\n")[0]).toBe(`# ${comment?.names.get("read_key")} gives the key`);
  });

  it("names PHP variables with their sign", async () => {
    const php = await rename("php", { preReviewCode: "$total = 1;", review: "What is $total for?" });
    expect(php?.review).toBe(`What is $${php?.names.get("total")} for?`);
  });
});

describe("the starter set, renamed", () => {
  const words = (text: string) => new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu));

  it.each(LANGUAGES)("keeps the tree, the lines and the columns of every %s example", async (language) => {
    const syntax = await loadSyntax(language);
    let examples = 0;
    for await (const line of readTriples(STARTER)) {
      if (line.status !== "valid" || line.triple.language !== language) continue;
      const { preReviewLines, postReviewLines, review } = line.triple;
      const texts = { preReviewCode: preReviewLines.join("\n"), postReviewCode: postReviewLines.join("\n"), review };
      const renamed = renameIdentifiers(syntax, texts, 1)!;
      examples++;
      for (const side of ["preReviewCode", "postReviewCode"] as const) {
        expect(renamed[side].split("\n").map(({ length }) => length)).toEqual(
          texts[side].split("\n").map(({ length }) => length),
        );
        expect(syntax.parse(renamed[side]).leaves).toEqual(syntax.parse(texts[side]).leaves);
        expect(syntax.parse(renamed[side]).errors).toBeLessThanOrEqual(syntax.parse(texts[side]).errors);
      }
      // Different names stay different, and no new one is an old one.
      expect(new Set(renamed.names.values()).size).toBe(renamed.names.size);
      const old = new Set([...words(texts.preReviewCode), ...words(texts.postReviewCode)]);
      expect([...renamed.names.values()].filter((name) => old.has(name))).toEqual([]);
    }
    expect(examples).toBe(12);
  });
});
