import { expect, it } from "vitest";
import { isHunkOfTask, sourceOfProbe, taskOfProbe } from "../../src/verdict/probe-task.js";

it("knows the task of a probe by its name, and of nothing else", () => {
  expect(taskOfProbe("owner/name/1234abcd#12")).toBe("owner/name/1234abcd");
  expect([taskOfProbe("owner/name#12/34"), taskOfProbe("#1"), taskOfProbe("a#b")]).toEqual([null, null, null]);
});

it("tells a hunk of a task from a review whose id looks like one, such as a pull request's", () => {
  const source = sourceOfProbe("codetaste", "owner/name/1234abcd", "src/a file.js", "gold");
  expect(isHunkOfTask("owner/name/1234abcd#12", source)).toBe(true);
  expect(isHunkOfTask("owner/name/1234abcd", source)).toBe(false);
  expect(isHunkOfTask("owner/name#42", source)).toBe(false);
  expect(isHunkOfTask("owner/name#42", "github.com/owner/name, review 7")).toBe(false);
  expect(isHunkOfTask("owner/name#42", "")).toBe(false);
});
