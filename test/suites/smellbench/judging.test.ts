import { describe, expect, it } from "vitest";
import { caseSchema, loadPrompts, SMELL_NAMES, type SmellTask } from "../../../src/suites/smellbench/smell-case.js";
import { JUDGED, trialScores } from "../../../src/suites/smellbench/smell-scores.js";
import { DESCRIPTIONS, readScore, smellJudging } from "../../../src/suites/smellbench/smell-suite.js";

const prompts = await loadPrompts();
const judging = smellJudging(prompts);

function taskWith(analysis: string | null): SmellTask {
  const smellCase = caseSchema.parse({
    instance_id: "a",
    type: "dead_code",
    difficulty: "easy",
    project_name: "p",
    hint_guided: "g",
    hint_targeted: "t",
    smell_function: ["a.py", "A", null],
    testsuites: ["test_a.py"],
    smell_analysis: analysis,
  });
  const source = { kind: "folder", path: "/nowhere" } as const;
  return {
    id: "a",
    group: "p",
    sha256: "0",
    source,
    clean: source,
    smellCase,
    place: null,
    wrong: [],
    smellPatch: Buffer.from("+dead\n"),
    goldPatch: null,
    fault: null,
    obstacle: null,
  };
}

const submitted = { patch: "-dead\n", report: {} };
const promptOf = (task: SmellTask, said: string | null) =>
  judging.prompt(task, judging.criteria(task)[0]!, submitted, said);

describe("the judge of a patch", () => {
  it("is asked one question for all four marks", () => {
    const task = taskWith(null);
    expect(judging.criteria(task).map(({ id, scale }) => [id, scale])).toEqual(JUDGED.map((id) => [id, "points"]));
    const asked = judging
      .criteria(task)
      .map((criterion) => JSON.stringify(judging.prompt(task, criterion, submitted, null)));
    expect(new Set(asked).size).toBe(1);
    const user = promptOf(task, null)?.user ?? "";
    for (const part of ["dead code", DESCRIPTIONS.dead_code_elimination, "a.py, A", "easy", "-dead\n"])
      expect(user).toContain(part);
    expect(user).not.toContain("What is known of it");
  });

  it("is told bands of marks from 0 to 10 for each of four things", () => {
    for (const name of JUDGED) {
      const bands = prompts.judge_system.text.split(`\n${name}: `)[1]?.split("\n\n")[0] ?? "";
      expect(bands.match(/^- (0-1|2-3|4-5|6-7|8-9|10):/gm)).toHaveLength(6);
    }
    expect(SMELL_NAMES.filter((smell) => DESCRIPTIONS[smell].length < 80)).toEqual([]);
  });

  it("is told what is known of the smell: by the case, or by its own first reply", () => {
    expect(promptOf(taskWith("It is in A."), "Something else.")?.user).toContain(
      "# What is known of it\n\nIt is in A.\n",
    );
    expect(promptOf(taskWith(null), "It stands in B. ")?.user).toContain("# What is known of it\n\nIt stands in B.\n");
    expect(judging.first?.(taskWith("It is in A."), { smellAnalysis: true })).toBeNull();
    expect(judging.first?.(taskWith(null), { smellAnalysis: false })).toBeNull();
    expect(judging.first?.(taskWith(null), { smellAnalysis: true })?.user).toContain("+dead\n");
  });

  it("is asked about an empty patch too, and told that it is empty", () => {
    expect(judging.isEmpty(taskWith(null), { patch: "", report: {} })).toBe(false);
    const [criterion] = judging.criteria(taskWith(null));
    expect(judging.prompt(taskWith(null), criterion!, { patch: "", report: {} }, null)?.user).toContain(
      "The patch is empty",
    );
  });
});

describe("marks", () => {
  const reply = (value: unknown) =>
    JSON.stringify({ smell_elimination: value, code_quality: { score: 10, justification: "Fine." } });

  it.each([
    [{ score: 0 }, 0, "0"],
    [{ score: 7, justification: "Mostly." }, 0.7, "7"],
    [{ score: 7.5 }, 0.75, "7.5"],
    [{ score: 10 }, 1, "10"],
  ])("of %j are %s", (value, score, verdict) => {
    expect(readScore("smell_elimination", reply(value))).toMatchObject({ score, verdict, scorePublished: score });
    expect(readScore("code_quality", `Here:\n\`\`\`json\n${reply(value)}\n\`\`\``)).toMatchObject({
      score: 1,
      justification: "Fine.",
    });
  });

  it.each([{ score: 11 }, { score: -1 }, { score: "7" }, { score: null }, {}, 7, null, [7]])(
    "that are none are null, not 0: %j",
    (value) => {
      expect(readScore("smell_elimination", reply(value))).toMatchObject({ score: null, verdict: null });
    },
  );

  it("of a judge that quotes an agent's marks are null where the two differ, whichever comes first and however wrapped", () => {
    const [own, quoted] = [reply({ score: 3 }), reply({ score: 10 })];
    const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
    for (const text of [
      `The patch says ${quoted}. I say ${own}`,
      `${own} and not ${quoted}`,
      `${fence(quoted)}\n${fence(own)}`,
      `${quoted}\n${fence(own)}`,
      // The judge's own begins with another key.
      `The patch says ${quoted}. I say {"summary": "Fine.", ${own.slice(1)}`,
    ]) {
      expect(readScore("smell_elimination", text).score, text).toBeNull();
      // Both say 10 of the code's quality.
      expect(readScore("code_quality", text).score, text).toBe(1);
    }
    expect(readScore("smell_elimination", `${own}\n${own}`).score).toBe(0.3);
  });

  it("of a reply that is no object are null", () => {
    for (const text of ["", "It is fine: 9/10.", "[]", '{"smell_elimination": {"score": 5']) {
      expect(readScore("smell_elimination", text).score).toBeNull();
    }
  });
});

describe("the scores of a trial", () => {
  const record = (tpr: boolean, la: boolean | null) => ({
    scores: { smell: "data_clumps", difficulty: "easy", tpr, la, la_file: true },
  });

  it("have the headline where tests pass and the smelly code was changed, and none where that is not known", () => {
    const headline = (tpr: boolean, la: boolean | null) => trialScores(record(tpr, la), null)["tpr_and_la"];
    expect([headline(true, true), headline(true, false), headline(false, true)]).toEqual([true, false, false]);
    expect([headline(true, null), headline(false, null)]).toEqual([null, false]);
  });

  it("have no marks where nobody judged", () => {
    const scores = trialScores(record(true, true), null);
    expect(JUDGED.map((name) => scores[name])).toEqual([null, null, null, null]);
  });
});
