import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type CliResult, runProbe } from "../../fixtures/cli.js";
import { jsonl } from "../../fixtures/jsonl.js";
import { rawTripleWith } from "../../fixtures/raw-triple.js";
import { MINI } from "../../fixtures/reference.js";
import { type StubServer, startStub } from "../../fixtures/stub-server.js";
import { vllm } from "../../fixtures/stub-servers/vllm.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const base = temporaryFolder();
const env = { LAB_KEY: "sk-lab-4f9a7c21d8e6b350", PROBE_TRUST_FILE: join(base, "trust.json") };

/** A folder of one's own, with a benchmark of one example in it. */
function project(name: string): string {
  const cwd = join(base, name);
  mkdirSync(cwd);
  copyFileSync(MINI, join(cwd, "mini.jsonl"));
  return cwd;
}

const probe = (cwd: string, ...args: string[]) => runProbe(args, { cwd, env });
const read = (...path: string[]) => readFileSync(join(...path), "utf8");

/** Words of a command as a shell reads them, behind `probe`. */
function wordsOf(line: string): string[] {
  const script = `probe() { printf '%s\\0' "$@"; }; npx() { shift; probe "$@"; }; ${line}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

/** Runs a command that was printed or written, and expects it to be done. */
async function done(cwd: string, line: string, ...more: string[]): Promise<CliResult> {
  const result = await runProbe([...wordsOf(line), ...more], {
    cwd,
    env: { ...env, GITHUB_STEP_SUMMARY: join(cwd, "summary.md") },
  });
  expect(result.code, `${line}: ${result.stderr}`).toBe(0);
  return result;
}

const planSchema = z.strictObject({
  schema_version: z.literal(1),
  files: z.array(z.string()),
  commands: z.array(z.string()),
});

async function init(cwd: string, ...args: string[]): Promise<z.infer<typeof planSchema>> {
  const { code, stdout, stderr } = await probe(cwd, "init", ...args, "--json");
  expect(code, stderr).toBe(0);
  return planSchema.parse(JSON.parse(stdout));
}

const githubSchema = z.object({
  jobs: z.strictObject({
    probe: z.looseObject({
      env: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    }),
  }),
});
const gitlabSchema = z.object({
  probe: z.looseObject({ script: z.array(z.string()), after_script: z.array(z.string()) }),
});

/** Commands of a job, one each. */
function githubLines(cwd: string): string[] {
  const { steps } = githubSchema.parse(parse(read(cwd, ".github/workflows/probe.yml"))).jobs.probe;
  return steps.flatMap(({ run = "" }) => run.split("\n")).filter((line) => line !== "");
}

describe("what `probe init` writes is run", () => {
  let server: StubServer;
  beforeAll(async () => {
    server = await startStub(vllm());
  });
  afterAll(() => server.stop());

  it("for a server with a key, reviews and a job: each command that it names is done", async () => {
    const cwd = project("server");
    const url = `${server.url}/v1`;
    const has = ["--base-url", url, "--api-key-env", "LAB_KEY", "--reviews", "mini.jsonl", "--fail-under", "0"];
    const { files, commands } = await init(cwd, ...has, "--ci", "github");
    expect(files).toEqual(["probe.config.json", ".github/workflows/probe.yml"]);
    expect(commands).toEqual([
      `probe trust add --base-url ${server.url} --api-key-env LAB_KEY`,
      "probe models check server",
      "probe run",
      "probe report latest",
    ]);
    expect(JSON.parse(read(cwd, "probe.config.json"))).toEqual({
      models: { server: { model: "openai:auto", settings: { baseUrl: url, apiKeyEnv: "LAB_KEY" } } },
      run: { model: "server", dataset: "mini.jsonl", "fail-under": "0" },
    });
    // The server does not know the order of letters: no score is above 0, and none is below.
    for (const command of commands) {
      const { stderr } = await done(
        cwd,
        command,
        ...(command === "probe run" ? ["--task", "CTR", "--limit", "1"] : []),
      );
      if (command === "probe run")
        expect(stderr).toContain("From probe.config.json: --model server --dataset mini.jsonl --fail-under 0\n");
    }
    const [install, ask = "", page = ""] = githubLines(cwd);
    expect(install).toMatch(/^npm install --no-save \.\/tools\/code-review-probe-[\d.]+\.tgz$/);
    const { env: secrets } = githubSchema.parse(parse(read(cwd, ".github/workflows/probe.yml"))).jobs.probe;
    expect(secrets).toEqual({ LAB_KEY: `\${{ secrets.LAB_KEY }}` });
    // A machine that trusts nothing: the job names the server itself.
    writeFileSync(env.PROBE_TRUST_FILE, JSON.stringify({ version: 1, trusted: [] }), { mode: 0o600 });
    await done(cwd, ask, "--task", "CTR", "--limit", "1");
    await done(cwd, page);
    expect(
      ["reports/probe.xml", "reports/page.html", "summary.md"].filter((made) => !existsSync(join(cwd, made))),
    ).toEqual([]);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${env.LAB_KEY}`)).toBe(true);
  });

  it("for reviews that have no questions yet, and GitLab: they are built first", async () => {
    const cwd = project("reviews");
    const before =
      "def total(items):\n    seen = []\n    result = 0\n    for item in items:\n        result += item\n    return result\n";
    const review = { pre_review_code: before, post_review_code: before.replace("+= item", "+= item.price") };
    writeFileSync(join(cwd, "mine.jsonl"), jsonl(rawTripleWith({ ...review, code_review: "Add the prices up." })));
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ devDependencies: { "code-review-probe": "*" } }));
    const { commands } = await init(cwd, "--model", "scripted:oracle", "--reviews", "mine.jsonl", "--ci", "gitlab");
    expect(commands).toEqual(["probe dataset build mine.jsonl --out bench.jsonl", "probe run", "probe report latest"]);
    for (const command of commands) await done(cwd, command);
    const { script, after_script: after } = gitlabSchema.parse(parse(read(cwd, ".gitlab-ci.yml"))).probe;
    expect(script[0]).toBe("npm ci");
    for (const command of [...script.slice(1), ...after]) await done(cwd, command);
    expect(existsSync(join(cwd, "reports/page.html"))).toBe(true);
  });

  it.each([
    ["github:octo-org/hello", ["import github:octo-org/hello --out raw.jsonl", "build raw.jsonl --out bench.jsonl"]],
    ["hf:a/b@main/c d.jsonl", ["import 'hf:a/b@main/c d.jsonl' --out bench.jsonl"]],
  ])("for %s: it is fetched first", async (reviews, first) => {
    const cwd = project(reviews.replaceAll(/\W/g, "-"));
    const { commands } = await init(cwd, "--reviews", reviews);
    expect(commands.slice(0, -2)).toEqual(first.map((words) => `probe dataset ${words}`));
  });
});

describe("a model that has to be reached", () => {
  it.each([
    ["openai:gpt-4o-mini", "https://api.openai.com --api-key-env OPENAI_API_KEY", "OPENAI_API_KEY"],
    ["qwen", "https://huggingface.co", null],
  ])("%s: is named by the job, which trusts nothing, and is to be trusted here", async (model, claim, variable) => {
    const cwd = project(`reached-${model.replace(":", "-")}`);
    const { commands } = await init(cwd, "--model", model, "--ci", "github");
    const trust = `probe trust add --base-url ${claim}`;
    expect(commands).toEqual([trust, "probe run", "probe report latest"]);
    await done(cwd, trust);
    expect(githubLines(cwd).find((line) => line.includes("probe run"))).toContain(`probe run --model ${model} `);
    const { env: secrets } = githubSchema.parse(parse(read(cwd, ".github/workflows/probe.yml"))).jobs.probe;
    expect(secrets).toEqual(variable === null ? undefined : { [variable]: `\${{ secrets.${variable} }}` });
  });
});

it("a vendor's own address is told the vendor's key, and trusted with it", async () => {
  const cwd = project("own-address");
  const server = ["--model", "openai:gpt-4o-mini", "--base-url", "https://api.openai.com/v1"];
  const { commands } = await init(cwd, ...server, "--ci", "github");
  expect(commands[0]).toBe("probe trust add --base-url https://api.openai.com --api-key-env OPENAI_API_KEY");
  const { env: secrets } = githubSchema.parse(parse(read(cwd, ".github/workflows/probe.yml"))).jobs.probe;
  expect(secrets).toHaveProperty("OPENAI_API_KEY");
});

it("an alias of a server is asked by a job that trusts nothing", async () => {
  const cwd = project("alias");
  const settings = { baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "LAB_KEY" };
  writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ models: { mine: { model: "openai:x", settings } } }));
  await init(cwd, "--model", "mine", "--ci", "github", "--force");
  const asked = "probe run --model mine --base-url http://127.0.0.1:1/v1 --api-key-env LAB_KEY --out";
  expect(githubLines(cwd).find((line) => line.includes("probe run"))).toContain(asked);
});

it("an alias with another key keeps its server, which alone is told that key", async () => {
  const cwd = project("other-key");
  const settings = { baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "LAB_KEY", topLogprobs: 5 };
  writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ models: { mine: { model: "openai:x", settings } } }));
  const { commands } = await init(cwd, "--model", "mine", "--api-key-env", "MY_KEY", "--ci", "github", "--force");
  expect(commands[0]).toBe("probe trust add --base-url http://127.0.0.1:1 --api-key-env MY_KEY");
  const { models } = JSON.parse(read(cwd, "probe.config.json"));
  expect(models.server).toEqual({ model: "openai:x", settings: { ...settings, apiKeyEnv: "MY_KEY" } });
  const asked = "probe run --model mine --base-url http://127.0.0.1:1/v1 --api-key-env MY_KEY --out";
  expect(githubLines(cwd).find((line) => line.includes("probe run"))).toContain(asked);
});

describe("names stay data", () => {
  const URL_OF = "http://127.0.0.1:1/v1";
  const MODEL = `openai:it's "a"\n- run: 'x' # $(touch owned) \`touch owned\` %PATH% : {y}`;

  it.each(["github", "gitlab"])("in a job of %s: one word of one command, whatever is in it", async (ci) => {
    const cwd = project(`hostile-${ci}`);
    const { files } = await init(cwd, "--model", MODEL, "--base-url", URL_OF, "--ci", ci);
    const text = read(cwd, files[1] ?? "");
    const lines =
      ci === "github"
        ? (githubSchema.parse(parse(text)).jobs.probe.steps[3]?.run ?? "")
        : (gitlabSchema.parse(parse(text)).probe.script[1] ?? "");
    expect(wordsOf(lines).slice(0, 5)).toEqual(["run", "--model", MODEL, "--base-url", URL_OF]);
    expect(existsSync("owned")).toBe(false);
  });

  it("in the file and the commands that come next", async () => {
    const cwd = project("quotes");
    const reviews = `it's "mine"\n$(touch owned).jsonl`;
    copyFileSync(MINI, join(cwd, reviews));
    await init(cwd, "--model", "scripted:oracle", "--reviews", reviews);
    expect(JSON.parse(read(cwd, "probe.config.json"))).toMatchObject({ run: { dataset: reviews } });
    expect((await probe(cwd, "run", "--task", "CTR", "--limit", "1", "-q")).code).toBe(0);
  });

  it("but for what the CI server itself would evaluate, which is refused", async () => {
    const cwd = project("evaluated");
    const { code, stderr } = await probe(
      cwd,
      "init",
      "--model",
      `openai:\${{ secrets.X }}`,
      "--base-url",
      URL_OF,
      "--ci",
      "github",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/^probe: Expected names without \$\{\{ [^\n]+ Leave --ci out\.\n$/);
    expect(readdirSync(cwd)).toEqual(["mini.jsonl"]);
  });
});

describe("nothing is replaced", () => {
  it("without --force, which keeps aliases and prices", async () => {
    const cwd = project("there");
    const mine = { models: { mine: { model: "scripted:oracle", settings: {} } }, run: { limit: 3 } };
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify(mine));
    const { code, stderr } = await probe(cwd, "init", "--model", "mine");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "probe: Expected no probe.config.json here, found one. To set it anew add --force (aliases and prices in " +
        "probe.config.json stay).\n",
    });
    expect(JSON.parse(read(cwd, "probe.config.json"))).toEqual(mine);
    await init(cwd, "--model", "mine", "--force");
    expect(JSON.parse(read(cwd, "probe.config.json"))).toEqual({ models: mine.models, run: { model: "mine" } });
  });

  it("not a job either, nor what a link leads to: nothing is written at all", async () => {
    const cwd = project("job");
    symlinkSync(join(base, "elsewhere"), join(cwd, ".gitlab-ci.yml"));
    const { code, stderr } = await probe(cwd, "init", "--model", "tiny", "--ci", "gitlab");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected no .gitlab-ci.yml here"),
    });
    expect(existsSync(join(cwd, "probe.config.json"))).toBe(false);
    await init(cwd, "--model", "tiny", "--ci", "gitlab", "--force");
    expect(existsSync(join(base, "elsewhere"))).toBe(false);
  });

  it.each([[[]], [["--force"]]])("nor is half of it where a file stands in a folder's place: %j", async (more) => {
    const cwd = project(`no-folder${more.length}`);
    writeFileSync(join(cwd, ".github"), "");
    const { code, stderr } = await probe(cwd, "init", "--model", "tiny", "--ci", "github", ...more);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^probe: Expected to write [^\n]+ found a file where a folder has to be [^\n]+\n$/);
    expect(readdirSync(cwd).sort()).toEqual([".github", "mini.jsonl"]);
  });

  it("not jobs of the project's own, by --force either", async () => {
    const cwd = project("own-jobs");
    writeFileSync(join(cwd, ".gitlab-ci.yml"), "build:\n  script: [make]\n");
    const { code, stderr } = await probe(cwd, "init", "--model", "tiny", "--ci", "gitlab", "--force");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("found another file. Move it") });
    expect(readdirSync(cwd).sort()).toEqual([".gitlab-ci.yml", "mini.jsonl"]);
    expect(read(cwd, ".gitlab-ci.yml")).toContain("make");
    // Its own job is replaced.
    rmSync(join(cwd, ".gitlab-ci.yml"));
    await init(cwd, "--model", "tiny", "--ci", "gitlab");
    await init(cwd, "--model", "tiny", "--ci", "gitlab", "--force");
  });

  it.each([
    [
      [],
      "Expected a terminal to ask at, or options that say what you have, found neither. Such as: probe init --model",
    ],
    [["--model", "tniy"], 'found "tniy". Did you mean tiny?'],
    [["--model", "moedl.gguf"], "Expected a .gguf file for --model, found none at moedl.gguf. Check the path."],
    [["--model", "qwen", "--base-url", "http://127.0.0.1:1"], 'found "qwen". Such as --model openai:auto'],
    [["--base-url", "127.0.0.1:8000"], "Such as --base-url http://127.0.0.1:8000/v1"],
    [["--base-url", "http://u:secret-4711@h/v1"], "Give a key by --api-key-env NAME."],
    [["--base-url", "http://h/sk-secret-4711/v1"], "and name that: --api-key-env LAB_KEY"],
    [["--api-key-env", "sk-secret-4711"], "Put the key into a variable, and name that: letters, digits and _."],
    [["--reviews", "mini.jsnl"], "found no such file. Did you mean mini.jsonl?"],
    [["--reviews", "reviews.csv"], "Expected a table at reviews.csv, found no such file."],
    [
      ["--reviews", "../server/mini.jsonl"],
      'Expected a file inside its folder for dataset, found "../server/mini.jsonl"',
    ],
    [["--reviews", "https://github.com/octo-org/hello"], "Did you mean github:octo-org/hello?"],
    [["--ci", "githb"], 'Expected one of github, gitlab for --ci, found "githb". Did you mean github'],
    [["--fail-under", "ZZ=0.5"], "Expected --fail-under to name a form of the run (CTR, CL, "],
    [["--fail-under", "CL=2"], "Expected a score from 0 to 1, such as CL=0.6 or 0.6 for --fail-under"],
  ])("for %j: one line, and nothing is written", async (args, told) => {
    const cwd = project(`refused-${JSON.stringify(args).replaceAll(/\W/g, "-")}`);
    const { code, stdout, stderr } = await probe(cwd, "init", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(told);
    expect(stderr).toMatch(/^probe: [^\n]+\n$/);
    expect(stderr).not.toContain("secret-4711");
    expect(readdirSync(cwd)).toEqual(["mini.jsonl"]);
  });
});

describe("at a terminal", () => {
  /** A person who gives these answers and then leaves; what was asked is kept. */
  async function asked(cwd: string, answers: readonly string[], ...args: string[]) {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answers[questions.length - 1] ?? null;
    };
    const result = await runProbe(["init", ...args], { cwd, env, ask });
    return { ...result, questions: questions.map((text) => text.replace(/ \[.*/, "")) };
  }

  it("asks for what no option names, and again where an answer means nothing", async () => {
    const cwd = project("asked");
    const answers = ["", "tniy", "scripted:oracle", "mini.jsonl", "CL=half", "ZZ=0.5", "CL=0.5"];
    const { code, stdout, stderr, questions } = await asked(cwd, answers, "--ci", "gitlab");
    expect(questions).toEqual([
      "Address of a server, such as http://127.0.0.1:8000/v1",
      "Model, an alias or a .gguf file",
      "Model, an alias or a .gguf file",
      "Reviews, a file or github:OWNER/REPO",
      "Lowest score that passes, such as CL=0.5",
      "Lowest score that passes, such as CL=0.5",
      "Lowest score that passes, such as CL=0.5",
    ]);
    expect(stderr.split("\n")).toEqual([
      expect.stringContaining('found "tniy". Did you mean tiny?'),
      expect.stringContaining('Expected a score from 0 to 1, such as CL=0.6 or 0.6 for --fail-under, found "half".'),
      expect.stringContaining('found "ZZ".'),
      "",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Written: probe\.config\.json, \.gitlab-ci\.yml\nThe CI job installs tools\/code-review-probe-[\d.]+\.tgz, which `npm pack` makes: put it there\.\n\nNext\n {2}probe run\n {2}probe report latest\n$/,
    );
  });

  it("asks a server's questions where there is one", async () => {
    const cwd = project("asked-server");
    const answers = ["http://127.0.0.1:1/v1", "", "sk-not a name", "LAB_KEY", "", "", ""];
    const { code, questions } = await asked(cwd, answers);
    expect(code).toBe(0);
    expect(questions.slice(1, 4)).toEqual([
      "Its model, provider:name",
      "Name of the variable that holds its key",
      "Name of the variable that holds its key",
    ]);
    expect(JSON.parse(read(cwd, "probe.config.json"))).toMatchObject({
      models: { server: { model: "openai:auto", settings: { apiKeyEnv: "LAB_KEY" } } },
    });
  });

  it("writes nothing where the person leaves; asks nothing with --yes", async () => {
    const cwd = project("left");
    expect(await asked(cwd, [""])).toMatchObject({ code: 130, stdout: "", stderr: "Stopped. Nothing was written.\n" });
    expect(readdirSync(cwd)).toEqual(["mini.jsonl"]);
    expect(await asked(cwd, [], "--yes")).toMatchObject({ code: 0, questions: [] });
    expect(JSON.parse(read(cwd, "probe.config.json"))).toEqual({ run: { model: "tiny" } });
  });
});
