import { describe, expect, it } from "vitest";
import { receivedEnvironment } from "../../src/workspace/received-repository.js";

const env = {
  LD_PRELOAD: "/x.so",
  NODE_OPTIONS: "-r /x",
  BASH_ENV: "/x",
  PYTHONPATH: "src",
  MODE: "a\nb",
  "A=B": "1",
  NUL: "\0",
};

describe("variables that data name", () => {
  it("are set in a cage as they are, if they can be set", () => {
    const { "A=B": _, NUL: __, ...set } = env;
    expect(receivedEnvironment(env, { kind: "bwrap" })).toEqual(set);
  });

  it("are without a cage those that load no code", () => {
    expect(receivedEnvironment(env, { kind: "none" })).toEqual({ PYTHONPATH: "src", MODE: "a\nb" });
  });
});
