import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { startLlamaServer } from "../fixtures/llama-server.js";
import { MINI } from "../fixtures/reference.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
// Ends with the message, as the bundled model was trained: behind any other words it names no letter.
const TEMPLATE = "{{ bos_token }}{% for m in messages %}A review.{{ m.content }}{% endfor %}";

/** Modes, examples, and log probabilities that are compared at least. */
const SAME_NUMBERS: readonly (readonly [mode: "completion" | "chat", examples: string, least: number])[] =
  process.env["PROBE_SLOW_TESTS"] === "1"
    ? [
        ["completion", "6", 2000],
        ["chat", "3", 900],
      ]
    : [
        ["completion", "2", 660],
        ["chat", "1", 300],
      ];

/** Largest difference between two runs' log probabilities, nats; and how many chosen options differ. */
function compare(
  a: readonly TableRow[],
  b: readonly TableRow[],
): { largest: number; differing: number; compared: number } {
  let largest = 0;
  let differing = 0;
  let compared = 0;
  for (const [i, row] of a.entries()) {
    const other = b[i]!;
    expect([row["task"], row["example_id"], row["permutation"]]).toEqual([
      other["task"],
      other["example_id"],
      other["permutation"],
    ]);
    if (row["chosen_option"] !== other["chosen_option"]) differing++;
    for (const letter of ["a", "b", "c", "d"]) {
      const [mine, theirs] = [row[`logprob_${letter}`]!, other[`logprob_${letter}`]!];
      if (mine === "" || theirs === "") continue;
      compared++;
      largest = Math.max(largest, Math.abs(Number(mine) - Number(theirs)));
    }
  }
  return { largest, differing, compared };
}

describe("the bundled model behind llama.cpp's server", () => {
  let url: string;
  let stop: () => Promise<void>;
  const template = join(folder, "template.jinja");

  beforeAll(async () => {
    writeFileSync(template, TEMPLATE);
    ({ url, stop } = await startLlamaServer({ args: ["-np", "1", "--jinja", "--chat-template-file", template] }));
  });

  afterAll(() => stop());

  const answers = async (name: string, args: readonly string[]) => {
    const out = join(folder, name);
    const { code, stderr } = await runProbe(["run", "--dataset", MINI, "--out", out, ...args]);
    return { rows: readTable(out, "answers.csv"), code, stderr };
  };

  // Of chat fewer examples: it is the same way to the same numbers, with other words before them.
  it.each(SAME_NUMBERS)(
    "chooses the same options as in process, log probabilities within 0.01 nats: %s, %s examples (six and three with PROBE_SLOW_TESTS=1)",
    async (mode, limit, least) => {
      const shared = ["--prompt-mode", mode, "--limit", limit];
      const inProcess = await answers(`process-${mode}`, [
        "--model",
        "tiny",
        ...shared,
        ...(mode === "chat" ? ["--model-arg", `chatTemplate=${TEMPLATE}`] : []),
      ]);
      const served = await answers(`served-${mode}`, ["--model", "openai:tiny", "--base-url", `${url}/v1`, ...shared]);
      const { largest, differing, compared } = compare(inProcess.rows, served.rows);
      process.stdout.write(
        `${mode}: largest difference ${largest.toExponential(2)} nats over ${compared} log probabilities\n`,
      );
      expect([inProcess.code, served.code]).toEqual([0, 0]);
      expect(differing).toBe(0);
      // 94 orders of an example, three or four symbols each; in chat mode the server lists no letter for a few.
      expect(compared).toBeGreaterThan(least);
      expect(largest).toBeLessThan(0.01);
      expect(served.rows[0]?.["prompt_tokens"]).toBe(inProcess.rows[0]?.["prompt_tokens"]);
    },
  );

  it("is warned about as weak, and runs", async () => {
    const { code, stderr } = await answers("weak", [
      "--model",
      "openai:tiny",
      "--base-url",
      `${url}/v1`,
      "--task",
      "CTR",
      "--limit",
      "1",
    ]);
    expect(stderr).toMatch(/Model check .*: weak: [01] of 4/);
    expect(code).toBe(0);
  });

  it("does not read special tokens in a review", async () => {
    // As text <s> is several tokens; read as BOS it would be one, and the numbers others than in process.
    const record = { review: "Why <s> here? </s>", id: "special" };
    const { readFileSync } = await import("node:fs");
    const [first = "{}"] = readFileSync(MINI, "utf8").split("\n");
    const path = join(folder, "special.jsonl");
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(first) as object), ...record }));
    const rows = async (name: string, args: readonly string[]) => {
      const out = join(folder, name);
      await runProbe(["run", "--dataset", path, "--task", "CTR", "--out", out, ...args]);
      return readTable(out, "answers.csv");
    };
    const inProcess = await rows("special-process", ["--model", "tiny"]);
    const served = await rows("special-served", ["--model", "openai:tiny", "--base-url", `${url}/v1`]);
    expect(compare(inProcess, served).largest).toBeLessThan(0.01);
  });

  it("fails prompts over the server's context by name", async () => {
    const small = await startLlamaServer({ args: ["-np", "1", "-c", "256"] });
    try {
      const args = ["--model", "openai:tiny", "--base-url", `${small.url}/v1`, "--task", "SI"];
      const { code, rows } = await answers("overflow", args);
      expect(code).toBe(4);
      const failures = new Set(rows.filter((row) => row["status"] === "failed").map((row) => row["failure"]));
      expect(failures).toEqual(new Set(["context_overflow"]));
    } finally {
      await small.stop();
    }
  });

  it("is checked by `probe models check`, which names the way and exits 0", async () => {
    const { code, stdout } = await runProbe(["models", "check", "openai:auto", "--base-url", `${url}/v1`, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      chosen: "/completion with grammar",
      server: { kind: "llama.cpp", file: "tiny.gguf" },
      forced: false,
    });
  });

  it("counts prompt tokens for a dry run by the server's tokenizer, exactly", async () => {
    const args = ["run", "--dataset", MINI, "--task", "CTR", "--json", "--dry-run"];
    const tokens = async (more: readonly string[]) =>
      (JSON.parse((await runProbe([...args, ...more])).stdout) as { prompt_tokens: number }).prompt_tokens;
    const served = await tokens(["--model", "openai:tiny", "--base-url", `${url}/v1`]);
    expect(served).toBe(await tokens(["--model", "tiny"]));
  });

  it("is used with the settings of an alias", async () => {
    const cwd = join(folder, "configured");
    mkdirSync(cwd);
    const models = {
      mine: { model: "openai:tiny", settings: { baseUrl: [`${url}/v1`], extraction: "top_logprobs", topLogprobs: 20 } },
    };
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ models }));
    const out = join(folder, "alias");
    const { code } = await runProbe(
      ["run", "--model", "mine", "--dataset", MINI, "--task", "CTR", "--limit", "1", "--out", out],
      { cwd },
    );
    expect(code).toBe(0);
    expect(readTable(out, "answers.csv")[0]?.["extraction"]).toBe("top_logprobs");
    // What the run recorded is enough to go on with it.
    expect((await runProbe(["run", "--resume", out], { cwd })).code).toBe(0);
  });
});

describe("no server", () => {
  it("ends with exit code 3 and says where it looked", async () => {
    const args = [
      "run",
      "--model",
      "openai:x",
      "--base-url",
      "http://127.0.0.1:9/v1",
      "--dataset",
      MINI,
      "--out",
      join(folder, "none"),
    ];
    const { code, stderr } = await runProbe([...args, "--model-arg", "patienceSeconds=1"]);
    expect(stderr).toMatch(/Expected a server at http:\/\/127\.0\.0\.1:9\/v1, found .*ECONNREFUSED/);
    expect(code).toBe(3);
  });
});
