import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CHOICE_SENTENCES } from "../../src/report/judgement-words.js";
import { judgementText } from "../../src/verdict/judgement.js";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** 27 of these 36 are modifications: a rule that always says so is right in 0.75, and wrong where nine others are right. */
const EXAMPLES = "36";
const ask = (model: string, out: string, ...more: string[]) =>
  runProbe(["run", "--model", model, "--task", "CTR", "--limit", EXAMPLES, "--out", at(out), "--quiet", ...more]);

/** The named attributes of the report's first element. */
const totals = (xml: string) => /tests="\d+" failures="\d+" errors="\d+" skipped="\d+"/.exec(xml)?.[0];

beforeAll(async () => {
  for (const model of ["oracle", "always-A"]) expect((await ask(`scripted:${model}`, model)).code).toBe(0);
});

describe("probe run", () => {
  it("writes checks and summary beside the table; a model that binds no letters fails the gate, not the command", async () => {
    writeFileSync(at("summary.md"), "# Earlier step\n");
    const files = ["--junit", at("reports/run.xml"), "--github-summary"];
    const { code, stdout, stderr } = await runProbe(
      ["run", "--model", "scripted:always-A", "--task", "CTR", "--limit", EXAMPLES, "--out", at("run"), "-q", ...files],
      { env: { GITHUB_STEP_SUMMARY: at("summary.md") } },
    );
    expect(stderr).toBe("");
    expect(code).toBe(0);
    // The same letter under all six orders: two of them for each of three options.
    const guessed = { agreement: 2 / 6, guessing: 2358 / 729 / 6 };
    const sentence = CHOICE_SENTENCES.unreadable(guessed, { symbol: "A", share: 1 }, null);
    const unreadable = `${judgementText({ sentence })}, and mean accuracy 33.3 % is not shown to be above every rule`;
    expect(stdout).toContain(`CTR: ${unreadable}`);
    const xml = readFileSync(at("reports/run.xml"), "utf8");
    // All answers came; the gate failed; the floor was not judged.
    expect(totals(xml)).toBe('tests="3" failures="1" errors="0" skipped="1"');
    expect(xml).toContain(`<failure type="unreadable" message="${unreadable}`);
    expect(readFileSync(at("summary.md"), "utf8")).toMatch(
      /^# Earlier step\n\n## probe: scripted:always-A\n[\s\S]*\| CTR \| 36 \| 0\.0 %/,
    );
  });

  it.each([
    [["--junit", "taken.txt"], /--junit, found .*taken\.txt, which holds something else/],
    [["--github-summary"], /Expected the variable GITHUB_STEP_SUMMARY/],
    [["--junit", "new.xml", "--dry-run"], /Expected --junit and --github-summary without --dry-run/],
  ])("refuses %j before anything is asked, and changes nothing", async (args, message) => {
    writeFileSync(at("taken.txt"), "mine");
    const { code, stderr } = await runProbe(
      ["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "1", "--out", at("refused"), ...args],
      { cwd: folder, env: { GITHUB_STEP_SUMMARY: "" } },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(at("refused"))).toBe(false);
    expect(existsSync(at("new.xml"))).toBe(false);
    expect(readFileSync(at("taken.txt"), "utf8")).toBe("mine");
  });
});

describe("probe score", () => {
  it("writes the same checks from the journal, over the earlier report", async () => {
    const args = ["score", at("oracle"), "--junit", at("score.xml")];
    for (const _ of [1, 2]) expect(await runProbe(args)).toMatchObject({ code: 0, stderr: "" });
    // 36 of 36 right, nine of which the rule has wrong: p = 2^-9 < 0.01.
    expect(totals(readFileSync(at("score.xml"), "utf8"))).toBe('tests="3" failures="0" errors="0" skipped="0"');
  });

  it("judges nothing where so few questions were asked that no score could be told from the rule's", async () => {
    const few = ["--limit", "12", "--out", at("few"), "--quiet", "--junit", at("few.xml")];
    const { code } = await runProbe(["run", "--model", "scripted:oracle", "--task", "CTR", ...few]);
    expect(code).toBe(0);
    // 9 of these 12 are modifications: with all right, p = 2^-3 = 0.125. All answers came; the rest cannot be said.
    const xml = readFileSync(at("few.xml"), "utf8");
    expect(totals(xml)).toBe('tests="3" failures="0" errors="0" skipped="2"');
    const sentence = CHOICE_SENTENCES.tooFew(12, "majority");
    expect(xml).toContain(judgementText({ sentence }));
  });
});

describe("probe compare", () => {
  const compare = (...args: string[]) =>
    runProbe(["compare", at("oracle"), at("always-A"), ...args], { env: { GITHUB_STEP_SUMMARY: at("compare.md") } });

  it("has a check a probe, judged by --fail-under, with exit code 5 where one fails", async () => {
    const { code } = await compare("--fail-under", "-0.5", "--junit", at("compare.xml"), "--github-summary");
    expect(code).toBe(5);
    const xml = readFileSync(at("compare.xml"), "utf8");
    expect(totals(xml)).toBe('tests="1" failures="1" errors="0" skipped="0"');
    expect(xml).toContain('message="The difference -1.0000 is under -0.5 (--fail-under)."');
    expect(readFileSync(at("compare.md"), "utf8")).toMatch(
      /\| CTR \| 36 \| 100\.0 % \| 0\.0 % \| −100\.0 pp .*\| \*\*NO\*\* \|/,
    );
  });

  it("passes where the difference is allowed, and judges nothing where none was named", async () => {
    expect((await compare("--fail-under", "-1", "--junit", at("compare.xml"))).code).toBe(0);
    expect(totals(readFileSync(at("compare.xml"), "utf8"))).toBe('tests="1" failures="0" errors="0" skipped="0"');
    expect((await compare("--junit", at("compare.xml"))).code).toBe(0);
    expect(totals(readFileSync(at("compare.xml"), "utf8"))).toBe('tests="1" failures="0" errors="0" skipped="1"');
  });
});
