import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { workTools } from "../../../src/trial/make/work-tools.js";
import { openCage } from "../../../src/workspace/cage.js";
import { Workspace } from "../../../src/workspace/workspace.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("ends a line of run_command with the time that is left to the attempt", async () => {
  mkdirSync(folder.path("source"));
  const workspace = await Workspace.create(folder.path("work"), { kind: "folder", path: folder.path("source") });
  const cage = await openCage({ sandbox: "none", hidden: [] });
  const bench = {
    cage,
    signal: new AbortController().signal,
    folder: async () => folder.path("bench"),
    spaceFault: async () => null,
  };
  const run = workTools(workspace, bench, "Ends it.").find(({ definition }) => definition.name === "run_command");
  const reply = await run?.call('{"command": "echo begun; sleep 100; echo x > late.txt"}', 1000);
  expect(reply).toEqual({ kind: "text", text: "timed out\nbegun\n" });
  expect(await workspace.changedFiles()).toEqual([]);
});
