import { describe, expect, it } from "vitest";
import { isImportSource } from "../../../src/dataset/dataset-file.js";
import { describeHubSource, describeRepository, parseImportSource } from "../../../src/dataset/import/import-source.js";

describe("parseImportSource", () => {
  it("reads a hub dataset, and takes main for its revision", () => {
    const source = { kind: "hub", owner: "Tomo-Melb", name: "CodeReviewQA", revision: "main", file: null };
    expect(parseImportSource("hf:Tomo-Melb/CodeReviewQA")).toEqual(source);
  });

  it("reads revision and file", () => {
    const source = { kind: "hub", owner: "o", name: "n.v2", revision: "refs/pr/1", file: "data/a b.jsonl" };
    expect(parseImportSource("hf:o/n.v2@refs%2Fpr%2F1/data/a b.jsonl")).toEqual(source);
  });

  it("reads a GitHub repository", () => {
    expect(parseImportSource("github:octo-org/hello.js")).toEqual({
      kind: "github",
      owner: "octo-org",
      name: "hello.js",
    });
  });

  it("reads a project on GitLab, in a group or in subgroups", () => {
    expect(parseImportSource("gitlab:group/project")).toEqual({ kind: "gitlab", owner: "group", name: "project" });
    const inSubgroup = { kind: "gitlab", owner: "group/sub.one/two", name: "project" } as const;
    expect(parseImportSource("gitlab:group/sub.one/two/project")).toEqual(inSubgroup);
    expect(describeRepository(inSubgroup)).toBe("gitlab:group/sub.one/two/project");
  });

  it.each([
    ["reviews.csv", "reviews"],
    ["my folder/Reviews 2.TSV", "Reviews 2"],
    ["./a.b.csv", "a.b"],
  ])("reads %j as a table", (path, name) => {
    expect(parseImportSource(path)).toEqual({ kind: "table", path, name });
  });

  it("leaves a file on the hub there", () => {
    expect(parseImportSource("hf:o/n/data.csv")).toMatchObject({ kind: "hub", file: "data.csv" });
  });

  it.each([
    "hf:alone",
    ".csv",
    "https://example.com/a.csv",
    "hf:../x",
    "hf:o/..",
    "hf:o/.",
    "github:o/r/issues",
    "github:o/..",
    "gitlab:alone",
    "gitlab:g//p",
    "gitlab:g/../p",
    "",
    "hf:o/n@",
  ])("refuses %j", (text) => {
    expect(() => parseImportSource(text)).toThrow(/^Expected hf:OWNER\/NAME, .* or promptfoo:FILE, found "/);
  });

  it.each(["hf:o/n/../x", "hf:o/n/a//b", "hf:o/n/a\\b", "hf:o/n/."])(
    "refuses the path out of the repository in %j",
    (text) => {
      expect(() => parseImportSource(text)).toThrow(/Expected the path of a file inside the repository/);
    },
  );

  it("refuses a revision that cannot be decoded", () => {
    expect(() => parseImportSource("hf:o/n@%E0")).toThrow(/Expected a branch, tag or commit after "@"/);
  });

  it.each([
    ["https://github.com/octo-org/hello.git", "github:octo-org/hello"],
    ["huggingface.co/datasets/o/n/tree/main", "hf:o/n"],
    ["https://gitlab.com/group/sub/project.git", "gitlab:group/sub/project"],
    ["https://gitlab.example.com/group/project/-/merge_requests/3", "gitlab:group/project"],
  ])("says how to name %s", (url, name) => {
    expect(() => parseImportSource(url)).toThrow(`Did you mean ${name}?`);
  });

  it("names a bad name as it is: the console makes visible what a terminal would obey", () => {
    expect(() => parseImportSource("hf:\u001b[2J")).toThrow('"hf:\u001b[2J"');
  });
});

it("describes a source as a user writes it, and reads that again", () => {
  const source = { kind: "hub", owner: "o", name: "n", revision: "refs/pr/1", file: "d/a.jsonl" } as const;
  expect(describeHubSource(source)).toBe("hf:o/n@refs%2Fpr%2F1/d/a.jsonl");
  expect(parseImportSource(describeHubSource(source))).toEqual(source);
});

it("tells a source from a file", () => {
  expect(["hf:o/n", "github:o/r", "gitlab:g/p"].every(isImportSource)).toBe(true);
  expect(["hf.jsonl", "./github:o", "starter"].some(isImportSource)).toBe(false);
});
