import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instancePath, instancesIn } from "../../../src/suites/codetaste/assets.js";
import { OWN_INSTANCES, readInstances } from "../../../src/suites/codetaste/read-instances.js";
import { findEngine } from "../../../src/suites/codetaste/taste-adapter.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const [instance] = await instancesIn(join(OWN_INSTANCES, "assets/descriptions"));
const ID = instancePath(instance!);

const read = async (data: string, repo: string | null = null) =>
  (await readInstances({ data, repo, testCmd: "true", engine: await findEngine("regex", null) }))[0]!;

/** The instance of our own, as somebody could send it. */
function sent(): string {
  const data = folder.path("data");
  cpSync(OWN_INSTANCES, data, { recursive: true });
  mkdirSync(folder.path("home"));
  writeFileSync(folder.path("home/secret"), "private");
  return data;
}

describe("instances that somebody sent", () => {
  it.each([
    `assets/descriptions/${ID}/description.md`,
    `assets/descriptions/${ID}/open_description.md`,
    `assets/rules/${ID}/rules_positive.yml`,
    `gold/${ID}.patch`,
  ])("are not tried where a link or a pipe stands at %s", async (name) => {
    const data = sent();
    for (const make of [
      (path: string) => symlinkSync(folder.path("home/secret"), path),
      (path: string) => execFileSync("mkfifo", [path]),
    ]) {
      rmSync(join(data, name));
      make(join(data, name));
      const task = await read(data);
      expect(task.obstacle).toBe(`${ID}: ${name} is a link or a pipe: put a plain file in its place`);
      expect(JSON.stringify(task)).not.toContain("private");
    }
  });

  it("have no description in a folder that a link leads to", async () => {
    const data = sent();
    renameSync(join(data, "assets/descriptions"), folder.path("home/descriptions"));
    symlinkSync(folder.path("home/descriptions"), join(data, "assets/descriptions"));
    expect((await read(data)).obstacle).toBe(
      `${ID}: assets/descriptions/${ID} leads out of the data by a link: put a copy in its place`,
    );
  });

  it("have no tree that a link leads to, unless the user names it", async () => {
    const data = sent();
    const trees = folder.path("home/trees");
    const { owner, repository } = instance!;
    renameSync(join(data, "repos"), trees);
    mkdirSync(join(data, "repos"));
    symlinkSync(join(trees, owner), join(data, "repos", owner));
    const path = join(data, "repos", owner, repository);
    expect((await read(data)).obstacle).toBe(`${ID}: ${path} leads out of the data by a link. Name one with --repo`);
    expect(await read(data, trees)).toMatchObject({ obstacle: null, source: { path: join(trees, owner, repository) } });
  });
});
