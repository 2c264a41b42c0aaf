import { describe, expect, it } from "vitest";
import { itemsOf, plannedTrials, trialsOf } from "../../src/trial/trial-run.js";

const agent = (name: string, is_control: boolean) => ({ name, is_control, identity: {} });
const arms = {
  agents: [agent("loop", false), agent("scripted:noop", true), agent("scripted:gold", true)],
  conditions: ["plain", "hard"],
  tasks: [
    { id: "a", group: "g" },
    { id: "b", group: "g", conditions: ["hard"] },
    { id: "c", group: "g", has_gold: false },
  ],
  trials_per_task: 4,
};

describe("the trials of a run", () => {
  it("are so many of the agent, one of each control, none of gold where there is none or under another condition", () => {
    const places = trialsOf(arms);
    const counts = Array.from({ length: itemsOf(arms) }, (_, item) => places(item));
    // By agent, condition and task: a and c are tried plainly, all under the hard condition.
    const [loop, noop, gold] = [
      [4, 0, 4, 4, 4, 4],
      [1, 0, 1, 1, 1, 1],
      [1, 0, 0, 1, 1, 0],
    ] as const;
    expect(counts).toEqual([...loop, ...noop, ...gold]);
    // 5 × 4, 5 and 3.
    expect(plannedTrials(arms)).toBe(28);
  });

  it("are those of gold on every task where it is the agent itself", () => {
    const alone = { ...arms, agents: [agent("scripted:gold", false)] };
    expect(plannedTrials(alone)).toBe(20);
  });
});
