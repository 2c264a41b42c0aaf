import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_CASES, readCases } from "../../../src/suites/smellbench/read-cases.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const NAME = "kiosk-god-class-easy";

/** One case of our own, as somebody could send it. */
function sent(): string {
  const data = folder.path("data");
  for (const part of [NAME, "trees/kiosk"]) cpSync(join(OWN_CASES, part), join(data, part), { recursive: true });
  mkdirSync(folder.path("home/.ssh"), { recursive: true });
  writeFileSync(folder.path("home/.ssh/id"), "private");
  return data;
}

describe("cases that somebody sent", () => {
  it.each(["case.json", "smell.patch", "gold.patch"])("are at fault where %s is a link or a pipe", async (name) => {
    const data = sent();
    for (const make of [
      (path: string) => symlinkSync(folder.path("home/.ssh/id"), path),
      (path: string) => execFileSync("mkfifo", [path]),
    ]) {
      rmSync(join(data, NAME, name));
      make(join(data, NAME, name));
      const [task] = await readCases(data, null);
      expect(task!.fault).toBe(`${NAME}/${name} is a link or a pipe: put a plain file in its place`);
      expect(task!.smellPatch.length).toBe(0);
    }
  });

  it("have no tree that a link leads to", async () => {
    const data = sent();
    symlinkSync(folder.path("home"), join(data, "trees/v"));
    const file = join(data, NAME, "case.json");
    const known = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...known, project_name: "v/.ssh" }));
    const [task] = await readCases(data, null);
    expect(task!.obstacle).toBe(`${data}/trees/v/.ssh leads out of the data by a link: put a copy in its place`);
    expect(task!.clean).toEqual({ kind: "folder", path: join(data, NAME) });
  });

  it("may be named by a link of the user's own", async () => {
    symlinkSync(sent(), folder.path("named"));
    const [task] = await readCases(folder.path("named"), null);
    expect(task).toMatchObject({ fault: null, obstacle: null });
  });
});
