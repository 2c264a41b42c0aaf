import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownValues } from "../../../src/suites/harbor/harbor-task.js";
import { readHarbor } from "../../../src/suites/harbor/read-harbor.js";
import { readReward } from "../../../src/suites/harbor/run-verifier.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

describe("the reward of a task", () => {
  it.each([
    ["a number", "1\n", null, 1],
    ["a share", " .5 ", null, 0.5],
    ["the text before the object", "0", '{"reward": 1}', 0],
    ["the object's reward", null, '{"speed": 3, "reward": 0.25}', 0.25],
    ["the only number of an object", "", '{"score": 0.75}', 0.75],
    ["none of several without that name", null, '{"a": 1, "b": 1}', null],
    ["none of words", "passed", null, null],
    ["none of what is no number to us", "0x1", null, null],
    ["none of an endless one", "1e999", null, null],
    ["none of texts in an object", null, '{"reward": "1"}', null],
    ["none where nothing was left", null, null, null],
  ])("is %s", (_, text, json, reward) => {
    expect(readReward(text, json).reward).toBe(reward);
  });
});

describe("a task", () => {
  it("gets no variable of this machine", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so are they written
    expect(ownValues({ A: "${HOME}", B: "${X:-small} ${Y:-}", C: "plain $HOME" })).toEqual({
      A: "",
      B: "small ",
      C: "plain $HOME",
    });
  });

  it("is told by its folder, with what keeps it from being tried; no link of it is followed", async () => {
    const folder = temporaryFolder();
    const make = (name: string, toml: string, dockerfile: string) => {
      for (const part of ["environment", "tests"]) mkdirSync(join(folder, name, part), { recursive: true });
      writeFileSync(join(folder, name, "task.toml"), toml);
      writeFileSync(join(folder, name, "tests/test.sh"), "");
      writeFileSync(join(folder, name, "environment/Dockerfile"), dockerfile);
      return join(folder, name, "instruction.md");
    };
    const COPIES = "FROM x\nWORKDIR /app\nCOPY . .\n";
    writeFileSync(make("set/plain", "[agent]\ntimeout_sec = 5.0", COPIES), "Do it.");
    writeFileSync(make("set/taken", "", "FROM x\nWORKDIR /usr/local\nCOPY . .\n"), "Do it.");
    writeFileSync(make("set/gpu", "[environment]\ngpus = 2", COPIES), "Do it.");
    writeFileSync(make("built", "", "FROM x\nRUN y\n"), "Do it.");
    writeFileSync(make("odd", "[agent]\ntimeout_sec = -1", COPIES), "Do it.");
    symlinkSync("/etc/passwd", make("linked", "", COPIES));
    writeFileSync(make("led", "", "FROM x\nWORKDIR /app\nCOPY lnk/inner /app\n"), "Do it.");
    mkdirSync(join(folder, "set/inner"));
    symlinkSync(join(folder, "set"), join(folder, "led/environment/lnk"));
    const told = (await readHarbor(folder)).map(({ id, fault, obstacle }) => [id, fault ?? obstacle]);
    expect(Object.fromEntries(told)).toEqual({
      "set/plain": null,
      "set/taken": "works in /usr/local",
      "set/gpu": "needs 2 GPUs",
      built: expect.stringMatching(/^its image is not set up \(RUN y\): probe suite setup harbor/),
      odd: expect.stringContaining("timeout_sec"),
      linked: "no plain file instruction.md",
      led: "environment/lnk/inner leads out of environment/ by a link: put a copy in its place",
    });
  });
});
