import { expect, it } from "vitest";
import { casesOf, taskOfProbe } from "../../src/verdict/probe-task.js";

it("knows the task of a probe by its name, and of nothing else", () => {
  expect(taskOfProbe("owner/name/1234abcd#12")).toBe("owner/name/1234abcd");
  expect([taskOfProbe("owner/name#12/34"), taskOfProbe("#1"), taskOfProbe("a#b")]).toEqual([null, null, null]);
});

it("takes the probes of a task for one case, and any other item for one of its own, even of the same name", () => {
  expect(casesOf(["a#1", "b#1", "a#2", "c", "c"], (item) => item)).toEqual([["a#1", "a#2"], ["b#1"], ["c"], ["c"]]);
});
