import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { REVIEW } from "../../../src/cli/dataset/dataset-options.js";
import { handleReview } from "../../../src/cli/dataset/review-handler.js";
import type { Console } from "../../../src/console/console.js";
import { type GivenOptions, parseOptions } from "../../../src/console/option.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { jsonl } from "../../fixtures/jsonl.js";
import { rawTripleWith } from "../../fixtures/raw-triple.js";

const folder = useFreshFolder();

afterEach(() => vi.unstubAllEnvs());

/** A review on a terminal, interrupted when `isOver`; what it opened in the browser, if anything. */
async function reviewOnTerminal(given: GivenOptions, isOver: (output: string) => boolean, has = { opener: true }) {
  const opened = folder.path("opened");
  const opener = folder.path("xdg-open");
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`);
  chmodSync(opener, 0o755);
  vi.stubEnv("PATH", has.opener ? `${folder.path()}${delimiter}${process.env["PATH"] ?? ""}` : folder.path("nowhere"));
  writeFileSync(folder.path("data.jsonl"), jsonl(rawTripleWith()));
  let output = "";
  let interrupt = () => {};
  const console: Console = {
    out: (text) => {
      output += text;
    },
    err: () => {},
    isTerminal: true,
    workingDirectory: folder.path(),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => {};
    },
    now: () => new Date(0),
  };
  const running = handleReview(
    parseOptions(REVIEW, { file: folder.path("data.jsonl"), annotator: "ada", ...given }),
    console,
  );
  await expect.poll(() => isOver(output)).toBe(true);
  interrupt();
  expect(await running).toBe(0);
  return { output, opened: existsSync(opened) ? readFileSync(opened, "utf8") : null };
}

// On other systems the browser is opened by `open` or `start`.
describe.skipIf(process.platform !== "linux")("a review on a terminal", () => {
  it("opens its page in the browser", async () => {
    const { output, opened } = await reviewOnTerminal({}, () => existsSync(folder.path("opened")));
    expect(opened).toBe(output.trim());
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
  });

  it("only prints the address with --no-open", async () => {
    const { opened } = await reviewOnTerminal({ noOpen: true }, (output) => output.includes("http://"));
    expect(opened).toBeNull();
  });

  it("goes on where no browser can be opened", async () => {
    const { output } = await reviewOnTerminal({}, (text) => text.includes("http://"), { opener: false });
    expect(output).toContain("http://127.0.0.1:");
  });
});
