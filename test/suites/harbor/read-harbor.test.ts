import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OWN_TASKS, plainEnvironment, readHarbor } from "../../../src/suites/harbor/read-harbor.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

const plain = (...lines: readonly string[]) => plainEnvironment(lines.join("\n"));

it("takes a Dockerfile that only copies one folder, and where that comes to stand", () => {
  expect(
    plain(
      "# a comment",
      "FROM node:22 AS base",
      "WORKDIR /app",
      'ENV MODE="dark"',
      "COPY code \\",
      "  ./src/",
      'CMD ["sleep"]',
    ),
  ).toEqual({ place: "/app", from: "code", at: "src", env: { MODE: "dark" } });
  expect(plain("FROM x", "workdir /srv/here/", "copy . .")).toEqual({
    place: "/srv/here/",
    from: ".",
    at: "",
    env: {},
  });
});

it.each([
  ["a command", ["FROM x", "WORKDIR /app", "RUN make", "COPY a b"], "RUN make"],
  ["two copies", ["WORKDIR /app", "COPY a b", "COPY c d"], "COPY c d"],
  ["a copy of several", ["WORKDIR /app", "COPY a b c/"], "COPY a b c/"],
  ["a flag", ["WORKDIR /app", "COPY --chown=1 a"], "COPY --chown=1 a"],
  ["a variable", ["WORKDIR $HOME", "COPY a b"], "WORKDIR $HOME"],
  ["a copy from outside", ["WORKDIR /app", "COPY ../../.ssh ."], "COPY ../../.ssh"],
  ["a copy to elsewhere", ["WORKDIR /app", "COPY a /etc"], "COPY a"],
  ["no working directory", ["COPY a b"], "no WORKDIR"],
  ["nothing", [], "no WORKDIR"],
])("asks for an image where there is %s", (_, lines, why) => {
  expect(plain(...lines)).toBe(why);
});

it.each([
  ["tests", "tide-windows/tests leads out of the data by a link: put a copy in its place"],
  ["solution", "tide-windows/solution leads out of the data by a link: put a copy in its place"],
  ["environment", "environment leads out of the data by a link: put a copy in its place"],
])("tries no task whose %s is a folder of the user's, by a link", async (part, why) => {
  cpSync(OWN_TASKS, folder.path("data"), { recursive: true });
  renameSync(folder.path(`data/tide-windows/${part}`), folder.path("mine"));
  symlinkSync(folder.path("mine"), folder.path(`data/tide-windows/${part}`));
  expect((await readHarbor(folder.path("data")))[0]?.obstacle).toBe(why);
});

it("tries no task whose tests hold a link, also one within the data", async () => {
  cpSync(OWN_TASKS, folder.path("data"), { recursive: true });
  mkdirSync(folder.path("data/more"));
  writeFileSync(folder.path("data/more/a"), "");
  symlinkSync("../../more", folder.path("data/tide-windows/tests/inner"));
  expect((await readHarbor(folder.path("data")))[0]?.obstacle).toBe(
    "tide-windows/tests/inner is a link or a pipe: put a plain file in its place",
  );
});
