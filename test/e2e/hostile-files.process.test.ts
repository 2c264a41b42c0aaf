import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/program.js";
import { door } from "../../src/console/console.js";
import { sealLine } from "../../src/store/journal/codec.js";
import { runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { readRecord } from "../fixtures/record.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Sets a window's title, clears a screen, turns the direction of writing. */
const CODES = "\u001b]0;pwned\u0007\u009b2J\u202e";
const SHOWN = "\\u001b]0;pwned\\u0007\\u009b2J\\u202e";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const read = (...names: string[]) => readFileSync(at(...names), "utf8");
const lines = (text: string) => text.trimEnd().split("\n").map(parse);
const parse = (text: string) => JSON.parse(text) as unknown;

/** Line ends and tabs are all that may reach a terminal. */
function expectHarmless(text: string, what: string): void {
  expect(text.replace(/\r\n|[\n\t]/g, ""), what).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
}

/** The command in this process: all that it prints, by the doors of the real console. */
async function cli(...args: readonly string[]): Promise<string> {
  let text = "";
  const write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  const out = door({ write });
  await runCli(args, {
    out,
    err: out,
    isTerminal: false,
    workingDirectory: folder,
    onInterrupt: () => () => {},
    now: () => new Date(0),
  });
  expectHarmless(text, args.join(" "));
  return text;
}

type Json = unknown;

/** The value with the codes in every string. */
function everywhere(value: Json): Json {
  if (typeof value === "string") return `${value}${CODES}`;
  if (Array.isArray(value)) return value.map(everywhere);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, everywhere(part)]));
}

/** The value once for each of its strings, with the codes in that one alone; and once with a key that holds them. */
function oneByOne(value: Json): Json[] {
  if (typeof value === "string") return [`${value}${CODES}`];
  if (Array.isArray(value)) {
    return value.flatMap((part: Json, i) => oneByOne(part).map((other) => value.with(i, other)));
  }
  if (value === null || typeof value !== "object") return [];
  const keyed = { ...value, [`key${CODES}`]: CODES };
  return [
    keyed,
    ...Object.entries(value).flatMap(([key, part]) => oneByOne(part).map((other) => ({ ...value, [key]: other }))),
  ];
}

const variants = (value: Json): Json[] => [everywhere(value), ...oneByOne(value)];

/** Slow commands are given of every so many variants, the first among them; of all with PROBE_SLOW_TESTS=1. */
const isOf = (each: number, i: number) => i % each === 0 || process.env["PROBE_SLOW_TESTS"] === "1";

let copies = 0;
/** A copy of a folder, in which one file holds something else. */
function copyWith(name: string, file: string, text: string): string {
  const copy = at(`copy-${++copies}`);
  cpSync(at(name), copy, { recursive: true });
  writeFileSync(join(copy, file), text);
  return copy;
}

/** The header of a journal, and its records without their checksums. */
function journalOf(file: string): { readonly header: Json; readonly records: readonly Json[] } {
  const [header, ...sealed] = lines(read("run", file));
  const withoutCrc = (record: Json) => parse(JSON.stringify({ ...(record as object), crc: undefined }));
  return { header, records: sealed.map(withoutCrc) };
}

/** A journal whose checksums fit, so that what the records say is read. */
function journal(header: Json, records: readonly Json[]): string {
  return [JSON.stringify(header), ...records.map((record) => sealLine(JSON.stringify(record)))].join("\n").concat("\n");
}

const RECORDS = ["one", "two"].map((id) => recordWith({ id, review: `Shout: ${id}` }));
const TRIPLES = ["Name it total, please.", "Count from one here."].map((code_review) => rawTripleWith({ code_review }));

beforeAll(async () => {
  writeFileSync(at("data.jsonl"), jsonl(...RECORDS));
  writeFileSync(at("raw.jsonl"), jsonl(...TRIPLES));
  for (const [name, model] of Object.entries({ run: "scripted:always-A", other: "scripted:oracle" })) {
    const asked = ["--task", "CTR,CL,SI,ACR", "--dataset", at("data.jsonl"), "--out", at(name), "-q"];
    await cli("run", "--model", model, ...asked);
  }
});

describe("a run whose run.json would tell the terminal something", () => {
  it("tells it nothing, though a task of it does", async () => {
    const run = readRecord<{ parameters: object; forms: object[] }>(at("run", "run.json"));
    const copy = copyWith("run", "run.json", JSON.stringify({ ...run, tasks: [`x${CODES}`] }));
    const asked = copyWith(
      "run",
      "run.json",
      JSON.stringify({ ...run, parameters: { ...run.parameters, tasks: [`x${CODES}`] } }),
    );
    for (const each of [copy, asked]) {
      const { stdout, stderr } = await runProbe(["run", "--resume", each]);
      expectHarmless(stdout + stderr, "run --resume");
    }
    const { stderr } = await runProbe(["run", "--resume", asked]);
    // Names of tasks are taken in capitals.
    expect(stderr).toMatch(/"X\\u001b\]0;PWNED\\u0007\\u009b2J\\u202e"/);
  });

  it("tells it nothing, whichever of its strings does", async () => {
    const texts: string[] = [];
    for (const [i, variant] of variants(readRecord(at("run", "run.json"))).entries()) {
      if (!isOf(2, i)) continue;
      const copy = copyWith("run", "run.json", JSON.stringify(variant));
      texts.push(await cli("run", "--resume", copy));
      if (isOf(4, i)) texts.push(await cli("compare", copy, at("other")));
      if (!isOf(16, i)) continue;
      texts.push(await cli("report", copy, "--out", at("page.html"), "--overwrite"));
      texts.push(await cli("failures", copy));
      texts.push(await cli("score", copy));
    }
    expect(texts.filter((text) => text.includes(SHOWN)).length).toBeGreaterThan(10);
  });

  it("tells it nothing as JSON, as Markdown or as JUnit", async () => {
    // A run's journal knows its model: the name has to be given when the run is made.
    const models = { [`m${CODES}`]: { model: "scripted:always-A", settings: {} } };
    writeFileSync(at("probe.config.json"), JSON.stringify({ models }));
    const named = at("named");
    await cli("run", "--model", `m${CODES}`, "--dataset", at("data.jsonl"), "--task", "CTR", "--out", named, "-q");
    writeFileSync(at("probe.config.json"), "{}");
    const { stdout, stderr } = await runProbe(["score", named, "--json", "--junit", at("j.xml"), "--github-summary"], {
      env: { GITHUB_STEP_SUMMARY: at("summary.md") },
    });
    expectHarmless(stdout + stderr, "score --json");
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(`m${CODES}`).slice(1, -1));
    expectHarmless(read("j.xml"), "JUnit");
    expectHarmless(read("summary.md"), "Markdown");
  });
});

describe("journals that would tell the terminal something", () => {
  it.each(["answers.jsonl", "generations.jsonl"])("tell it nothing: %s", async (file) => {
    const {
      header,
      records: [first, ...rest],
    } = journalOf(file);
    for (const [i, variant] of variants(first).slice(0, 24).entries()) {
      const copy = copyWith("run", file, journal(header, [variant, ...rest]));
      await cli("score", copy);
      if (!isOf(3, i)) continue;
      await cli("compare", copy, at("other"));
      await cli("failures", copy);
    }
    for (const variant of variants(header)) {
      await cli("score", copyWith("run", file, journal(variant, [first, ...rest])));
    }
    // Lines without a checksum, and with one that would tell something itself.
    const unsealed = [everywhere(first), { ...(first as object), crc: CODES }];
    for (const line of unsealed) await cli("score", copyWith("run", file, jsonl(header, line)));
    const all = copyWith("run", file, journal(header, [first, ...rest].map(everywhere)));
    for (const command of [["run", "--resume"], ["score"], ["failures"]]) await cli(...command, all);
    await cli("report", all, "--out", at("page.html"), "--overwrite");
  });
});

describe("data that would tell the terminal something", () => {
  it("tells it nothing: records of a dataset", async () => {
    for (const [i, variant] of variants(RECORDS[0]).entries()) {
      writeFileSync(at("hostile.jsonl"), jsonl(variant, RECORDS[1]));
      await cli("dataset", "validate", at("hostile.jsonl"));
      if (isOf(3, i)) await cli("dataset", "stats", at("hostile.jsonl"), "--skip-invalid");
    }
    const asked = ["--dataset", at("hostile.jsonl"), "--skip-invalid"];
    await cli("run", "--model", "scripted:always-A", ...asked, "--out", at("hostile-run"));
    await cli("run", "--model", "scripted:always-A", ...asked, "--dry-run");
    await cli("report", at("run"), "--dataset", at("hostile.jsonl"), "--out", at("page.html"), "--overwrite");
  });

  it("tells it nothing: code reviews", async () => {
    for (const variant of variants(TRIPLES[0])) {
      writeFileSync(at("hostile-raw.jsonl"), jsonl(variant, TRIPLES[1]));
      const more = ["--skip-invalid", "--overwrite", "--out"];
      await cli("dataset", "filter", at("hostile-raw.jsonl"), ...more, at("kept.jsonl"), "--drops", at("drops.jsonl"));
      await cli("dataset", "sample", at("hostile-raw.jsonl"), "--per-language", "1", ...more, at("sample.jsonl"));
      await cli("dataset", "stats", at("hostile-raw.jsonl"), "--skip-invalid");
    }
    await cli("dataset", "build", at("hostile-raw.jsonl"), "--skip-invalid", "--out", at("built.jsonl"), "-q");
  });

  it("tells it nothing: decisions", async () => {
    const decisionsOf = (annotator: string): Json[] => [
      {
        kind: "review",
        schema_version: 1,
        annotator,
        started_at: "2026-01-02T03:04:05.000Z",
        dataset: { path: "data.jsonl", sha256: "ab".repeat(32), examples: 2 },
      },
      {
        kind: "decision",
        example_id: "one",
        note: "why",
        annotator,
        decided_at: "2026-01-02T03:04:05.000Z",
        ...(annotator === "bob" ? { decision: "keep", reason: null } : { decision: "drop", reason: "other" }),
      },
    ];
    writeFileSync(at("bob.jsonl"), jsonl(...decisionsOf("bob")));
    const [head, decision] = decisionsOf("ada");
    const files = [
      ...variants(head).map((variant) => [variant, decision]),
      ...variants(decision).map((variant) => [head, variant]),
    ];
    for (const file of files) {
      writeFileSync(at("ada.jsonl"), jsonl(...file));
      await cli("dataset", "kappa", at("ada.jsonl"), at("bob.jsonl"));
      await cli("dataset", "kappa", at("ada.jsonl"), at("bob.jsonl"), "--resolve", at("agreed.jsonl"), "--overwrite");
    }
  });
});

describe("settings and answers that would tell the terminal something", () => {
  it("tell it nothing: probe.config.json, aliases and prices", async () => {
    const config = {
      models: { mine: { model: "scripted:always-A", description: "mine", settings: {} } },
      prices: { as_of: "2026-01-02", currency: "EUR", source: "here", models: { mine: { input: 1, output: 2 } } },
    };
    for (const variant of [...variants(config), { ...config, models: { [`mine${CODES}`]: config.models.mine } }]) {
      writeFileSync(at("probe.config.json"), JSON.stringify(variant));
      await cli("models");
      await cli("run", "--model", "mine", "--dataset", at("data.jsonl"), "--dry-run");
    }
    const { stdout, stderr } = await runProbe(["models"], { cwd: folder });
    expectHarmless(stdout + stderr, "models");
    expect(stdout + stderr).toContain("mine\\u001b]0;pwned");
    writeFileSync(at("probe.config.json"), "{}");
  });

  it("tell it nothing: an answer file, and its name", async () => {
    const [answer] = journalOf("answers.jsonl").records;
    const written = { task: "ACR", example_id: "one", completion: "x" };
    for (const [i, variant] of [...variants(answer).slice(0, 20), ...variants(written)].entries()) {
      const path = at(`answers${i === 0 ? "\u001b[2J" : ""}.jsonl`);
      writeFileSync(path, jsonl(variant));
      const asked = ["--task", "CTR,ACR", "--dataset", at("data.jsonl"), "--out", at(`scripted-${i}`)];
      await cli("run", "--model", `scripted:${path}`, ...asked);
    }
  });

  it("tell it nothing: an audit", async () => {
    const asked = ["--dataset", at("data.jsonl"), "--task", "ACR", "--limit", "1", "--out", at("audit"), "-q"];
    expect((await runProbe(["audit", "--model", "tiny", ...asked])).code).toBe(0);
    for (const [i, variant] of variants(readRecord(at("audit", "audit.json"))).entries()) {
      const copy = copyWith("audit", "audit.json", JSON.stringify(variant));
      if (isOf(8, i)) await cli("audit", "--resume", copy);
      if (isOf(6, i)) await cli("report", at("run"), copy, "--out", at("page.html"), "--overwrite");
    }
  });
});
