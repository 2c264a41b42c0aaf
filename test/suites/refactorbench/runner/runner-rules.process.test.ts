import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHiddenTest } from "../../../../src/suites/refactorbench/runner/hidden-test.js";
import { type BenchRoom, openRoom } from "../../../../src/trial/bench-room.js";
import { type Cage, openCage } from "../../../../src/workspace/cage.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { isRunnerMissing, testRunner } from "../../../fixtures/test-runner.js";

const folder = useFreshFolder();

/** A page that shows a name of the database, in parts of a package that only phones have; JSX stands in `.js`. */
const PAGE = `import { useState } from "react";
import { View } from "react-native";
import { nameOf } from "@/lib/db";
export default function Page() {
  const [name] = useState(nameOf());
  return <View>{name}</View>;
}
`;

/** A test as one is written for phones: the factory of a mock requires what its code imports. */
const testFor = (mocker: "vi" | "jest", more = "") => `import { render, screen } from "@testing-library/react";
import Page from "./page";
${mocker}.mock("react-native", () => {
  const React = require("react");
  return { View: ({ children }) => React.createElement("p", { id: React.useId() }, children) };
});
${mocker}.mock("@/lib/db", () => ({ nameOf: () => "Ada" }));
it("shows a name", () => {
  render(<Page />);
  expect(screen.getByText("Ada").tagName).toBe("P");
});
${more}`;

describe.skipIf(isRunnerMissing)("the runner of hidden tests", () => {
  let cage: Cage;
  let room: BenchRoom;
  beforeAll(async () => {
    cage = await openCage({ sandbox: "auto", hidden: [] });
    room = await openRoom("rules of the runner");
  });
  afterAll(() => room.close());

  async function resultOf(test: string, isJest: boolean, page = PAGE, runner = testRunner(), original = PAGE) {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(folder.path(path)), { recursive: true });
      writeFileSync(folder.path(path), text);
    };
    write("original/src/page.js", original);
    write("tree/src/page.js", page);
    write("page.test.js", test);
    const bench = room.open(cage, new AbortController().signal);
    try {
      return await runHiddenTest(
        {
          tree: folder.path("tree"),
          original: folder.path("original"),
          testFile: folder.path("page.test.js"),
          isDom: true,
          isJest,
        },
        { runner, bench },
      );
    } finally {
      await bench.close();
    }
  }

  it.each([
    ["vitest", "vi", false],
    ["Jest", "jest", true],
  ] as const)(
    "gives %s's mocks the packages that they require, the same as imports have",
    async (_, mocker, isJest) => {
      const result = await resultOf(testFor(mocker), isJest);
      expect([result.message, result.passes, result.testsPassed]).toEqual(["", true, 1]);
      expect(result.lineUp).toMatchObject({ unseen: [], turned: [] });
      expect(result.lineUp?.asked).toBeGreaterThan(0);
    },
  );

  // One of vitest is named by `suite check` (test/e2e/refactorbench).
  it("names a package that a test of Jest requires and nobody has", async () => {
    const result = await resultOf(testFor("jest", 'it("b", () => { require("react-native-maps/view"); });'), true);
    expect(result).toMatchObject({
      passes: false,
      testsPassed: 1,
      testsFailed: 1,
      missingPackages: ["react-native-maps"],
    });
  });

  it.each([
    [
      "takes the rest of it",
      'async () => ({ ...(await vi.importActual("react-native")), Alert: {} })',
      ["react-native"],
    ],
    ["is handed it", "async (original) => ({ ...(await original()), Alert: {} })", ["react-native"]],
    // What the test itself leaves out is no package's fault.
    ["makes a part alone", "() => ({ Alert: {} })", []],
  ])("names a mocked package that nobody has where the factory %s", async (_, factory, missingPackages) => {
    const test = testFor("vi").replace(/\(\) => \{\n {2}const React[\s\S]*?\n\}\);/, `${factory});`);
    expect(test).toContain(factory);
    expect(await resultOf(test, false)).toMatchObject({ passes: false, missingPackages });
    // What the code does not use is not missed. Once is enough: what passes is run again and again.
    if (!factory.includes("importActual")) return;
    expect(await resultOf(test, false, PAGE.replace(/import \{ View.*\n/, "").replaceAll("View", "p"))).toMatchObject({
      passes: true,
      missingPackages: [],
    });
  });

  it("tells code that ends it from a runner that lost something, which is nobody's failure", async () => {
    const ended = await resultOf(testFor("vi"), false, `process.kill(process.ppid, "SIGKILL");\n${PAGE}`);
    expect(ended).toMatchObject({ passes: false, failureKind: "no_report" });
    const broken = folder.path("broken");
    mkdirSync(broken);
    writeFileSync(join(broken, "run.mjs"), 'import "a-package-that-was-lost";\n');
    const lost = await resultOf(testFor("vi"), false, PAGE, { folder: broken, sha256: "0" });
    expect(lost).toMatchObject({ passes: false, failureKind: "not_started" });
    expect(lost.message).toContain("runs no test at all. Delete that folder, then: probe suite setup refactorbench");
  });

  it("moves a faked clock on while a test of vitest waits for the page", async () => {
    const waits = `import { render, screen, waitFor } from "@testing-library/react";
import Page from "./page";
it("shows a name in a while", async () => {
  vi.useFakeTimers();
  render(<Page />);
  await waitFor(() => expect(screen.getByText("Ada").tagName).toBe("P"));
  vi.useRealTimers();
});
`;
    const page = `import { useEffect, useState } from "react";
export default function Page() {
  const [name, setName] = useState("");
  useEffect(() => void setTimeout(() => setName("Ada"), 100), []);
  return <p>{name}</p>;
}
`;
    const result = await resultOf(waits, false, page, testRunner(), page);
    expect([result.message, result.passes]).toEqual(["", true]);
  });

  it("names failures of Jest as those of vitest", async () => {
    const wrong = await resultOf(testFor("jest", 'it("b", () => { expect(1).toBe(2); });'), true);
    expect(wrong).toMatchObject({ failureKind: "AssertionError", testsPassed: 1, missingPackages: [] });
    expect(wrong.message).toMatch(/^AssertionError: expect\(received\)\.toBe\(expected\)/);
    expect(await resultOf("const a = 1;", true)).toMatchObject({ failureKind: "no_tests" });
    expect(await resultOf(testFor("jest"), true, "export default (")).toMatchObject({
      failureKind: "load:SyntaxError",
    });
  });

  it("is told by nobody beside a test of Jest that it passes", async () => {
    const forged = `${PAGE.replace("{name}", "nobody")}
      const { it: own } = globalThis;
      require("react").createElement = () => null;
      Object.getPrototypeOf(expect(1)).toBe = () => {};
      process.stdout.write('{"passes": true}');
    `;
    expect((await resultOf(testFor("jest"), true, forged)).passes).toBe(false);
  });
});
