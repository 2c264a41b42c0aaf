import { describe, expect, it } from "vitest";
import { MODEL_OPTIONS } from "../../src/console/model-options.js";
import { namedAnew } from "../../src/console/recorded-options.js";
import { SCALE_OPTIONS } from "../../src/console/run-options.js";
import { SMELL_OPTIONS } from "../../src/suites/smellbench/smell-options.js";

describe("what a run that goes on must be told again", () => {
  it("is every file with code, as no record's code is run where no sandbox holds it", () => {
    const given = { data: "cases.json", repo: "clones", patches: "my patches", replies: "r.jsonl", trials: "3" };
    expect(namedAnew(SMELL_OPTIONS, given)).toBe(
      " --data cases.json --patches 'my patches' --replies r.jsonl --repo clones",
    );
    expect(namedAnew(SMELL_OPTIONS, { agent: "scripted:calls.jsonl" })).toBe(" --agent scripted:calls.jsonl");
  });

  it("is the queue, whose password is not shown", () => {
    expect(namedAnew(SCALE_OPTIONS, {})).toBe("");
    expect(namedAnew(SCALE_OPTIONS, { queue: "redis://me@lab:7000/2" })).toBe(" --queue redis://me@lab:7000/2");
    expect(namedAnew(SCALE_OPTIONS, { queue: "redis://:pw@lab" })).toBe(" --queue URL");
  });

  it("is a named key with its server, also where a setting of the model names them", () => {
    const own = "http://127.0.0.1:8000/v1";
    expect(namedAnew(MODEL_OPTIONS, { baseUrl: [own], apiKeyEnv: "LAB" })).toBe(` --base-url ${own} --api-key-env LAB`);
    expect(namedAnew(MODEL_OPTIONS, { modelArg: [`baseUrl=${own}`, "apiKeyEnv=LAB"] })).toBe(
      ` --base-url ${own} --api-key-env LAB`,
    );
    expect(namedAnew(MODEL_OPTIONS, { apiKeyFile: "my key" })).toBe(" --api-key-file 'my key'");
  });

  it("is a server whose URL a record keeps in part, which is not shown; no other server", () => {
    expect(namedAnew(MODEL_OPTIONS, { baseUrl: ["http://127.0.0.1:8000/v1"], modelArg: ["threads=2"] })).toBe("");
    expect(namedAnew(MODEL_OPTIONS, { baseUrl: ["http://a:b@lab/v1"] })).toBe(" --base-url URL");
    expect(namedAnew(MODEL_OPTIONS, { baseUrl: ["http://lab/v1?key=1"], apiKeyEnv: "LAB" })).toBe(
      " --base-url URL --api-key-env LAB",
    );
  });
});
