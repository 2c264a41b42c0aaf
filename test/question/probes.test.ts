import { describe, expect, it } from "vitest";
import { loadProbes } from "../../src/question/probes.js";

describe("loadProbes", () => {
  it("finds the probes in the order in which the paper builds on them", async () => {
    expect([...(await loadProbes()).keys()].slice(0, 3)).toEqual(["CTR", "CL", "SI"]);
  });

  it("files each under its own task", async () => {
    for (const [task, probe] of await loadProbes()) expect(probe.task).toBe(task);
  });
});
