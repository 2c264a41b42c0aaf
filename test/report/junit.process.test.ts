import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CiCheck, CiReport } from "../../src/report/junit.js";
import { escapeXml, junitXml } from "../../src/report/junit.js";
import { ANY_CHARACTER } from "../fixtures/any-character.js";
import { findPython, runPython } from "../fixtures/python.js";

const CHECKS: readonly CiCheck[] = [
  { name: "fine", result: { status: "passed", text: "all <well>" } },
  { name: "a finding", result: { status: "failed", kind: "floor", message: 'not "above"', text: "line 1\nline 2" } },
  { name: "broken", result: { status: "error", kind: "failed_answers", message: "3 of 6", text: "" } },
  { name: "nothing to judge", result: { status: "skipped", reason: "a < b" } },
];

function reportOf(checks: readonly CiCheck[], properties: ReadonlyMap<string, string> = new Map()): CiReport {
  return {
    name: "tiny",
    timestamp: "2026-01-02T03:04:05.000Z",
    durationMs: 1500,
    suites: [{ name: "tiny: CTR", properties, checks }],
  };
}

describe("escapeXml", () => {
  it("escapes markup, and the end of a CDATA section", () => {
    expect(escapeXml(`a]]>b<c d="e"&f`)).toBe("a]]&gt;b&lt;c d=&quot;e&quot;&amp;f");
  });

  it("keeps tabs and line ends from becoming blanks in attributes", () => {
    expect(escapeXml("a\tb\r\nc")).toBe("a&#9;b&#13;&#10;c");
  });

  it("shows what XML cannot hold: control characters, non-characters, lone surrogates", () => {
    expect(escapeXml("\u0000\u001b[2J\u009b\uffff")).toBe("\\u0000\\u001b[2J\\u009b\\uffff");
    expect(escapeXml("a\ud800b")).toBe("a\ufffdb");
    expect(escapeXml("👍")).toBe("👍");
  });
});

describe("junitXml", () => {
  it("counts what passed, failed, broke and was skipped, in all and in each suite", () => {
    const lines = junitXml(reportOf(CHECKS)).split("\n");
    expect(lines[1]).toBe('<testsuites name="probe tiny" tests="4" failures="1" errors="1" skipped="1" time="1.500">');
    expect(lines[2]).toBe(
      '  <testsuite name="tiny: CTR" tests="4" failures="1" errors="1" skipped="1" timestamp="2026-01-02T03:04:05.000Z">',
    );
  });

  it("has an element for each outcome", () => {
    const xml = junitXml(reportOf(CHECKS, new Map([["n", "24"]])));
    expect(xml).toContain('<property name="n" value="24"/>');
    expect(xml).toContain("<system-out>all &lt;well&gt;</system-out>");
    expect(xml).toContain('<failure type="floor" message="not &quot;above&quot;">line 1&#10;line 2</failure>');
    expect(xml).toContain('<error type="failed_answers" message="3 of 6"></error>');
    expect(xml).toContain('<skipped message="a &lt; b"/>');
  });

  it("leaves out times that are not known", () => {
    expect(junitXml({ ...reportOf([]), timestamp: null, durationMs: null })).not.toMatch(/time/);
  });
});

const python = findPython("xml.etree.ElementTree");
if (python === null) process.stdout.write("Skipping the XML parser's view of JUnit reports: no python3\n");

describe.skipIf(python === null)("a real XML parser", () => {
  const PROGRAM = [
    "import json, sys, xml.etree.ElementTree as tree",
    "root = tree.fromstring(sys.stdin.buffer.read())",
    "cases = [[c.get('name'), c[0].tag, c[0].get('message'), c[0].text] for c in root.iter('testcase')]",
    "print(json.dumps([root.get('tests'), cases]))",
  ].join("\n");

  it("finds every check and its very text again, whatever a name or message holds", () => {
    const texts = fc.sample(fc.string({ unit: ANY_CHARACTER, maxLength: 30 }), { seed: 1, numRuns: 500 });
    const holdable = texts.map((text) => text.replace(/[\p{Cc}\ufffe\uffff]/gu, " "));
    const nasty = ["]]>", "<!--", "&amp;", "\t\n", "a\r\nb", "\"'", "</failure>", "", "\u2028"];
    const checks = [...nasty, ...holdable].map((text): CiCheck => {
      return { name: text, result: { status: "failed", kind: "k", message: text, text } };
    });
    const [count, cases] = JSON.parse(runPython(python!, PROGRAM, junitXml(reportOf(checks)))) as [string, unknown[]];
    expect(count).toBe(String(checks.length));
    expect(cases).toEqual(checks.map(({ name }) => [name, "failure", name, name === "" ? null : name]));
  });

  it("reads texts with characters that XML has no form for", () => {
    const texts = fc.sample(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
      {
        seed: 1,
        numRuns: 300,
      },
    );
    const all = [...texts, ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))];
    const checks = all.map((text): CiCheck => ({ name: text, result: { status: "skipped", reason: text } }));
    const [, cases] = JSON.parse(runPython(python!, PROGRAM, junitXml(reportOf(checks)))) as [string, unknown[]];
    expect(cases).toHaveLength(all.length);
  });
});
