import { expect, it } from "vitest";
import { agentVersion } from "../../../src/trial/make/choose-agent.js";
import { openCage } from "../../../src/workspace/cage.js";

const cage = await openCage({ sandbox: "auto", hidden: [] });

it("is the first line that the command prints", async () => {
  expect(await agentVersion("printf 'tool 1.2.3\\nmore\\n'", cage)).toBe("tool 1.2.3");
  expect((await agentVersion("printf '%0300d' 7", cage)).length).toBeLessThan(130);
});

it("is run in a folder of its own", async () => {
  expect(await agentVersion("pwd; touch x", cage)).toMatch(/probe-version-/);
});

it.each([
  ["exit 3", "exited 3"],
  ["true", "exited 0"],
  ["no-such-program-1", "exited 127"],
])("is refused where there is none: %s", async (command, found) => {
  await expect(agentVersion(command, cage)).rejects.toThrow(
    `Expected --agent-version-cmd to print a version, found ${found}`,
  );
});
