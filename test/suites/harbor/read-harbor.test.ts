import { expect, it } from "vitest";
import { plainEnvironment } from "../../../src/suites/harbor/read-harbor.js";

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
