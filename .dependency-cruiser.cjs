// The rooms of the house, from the ground up, and what each may import besides itself. Shared rooms know no suite; a
// suite knows no other suite; only the edge (`cli`, `index`) knows which suites there are.
const SHARED = [
  "base",
  "stats",
  "store",
  "trust",
  "syntax",
  "workspace",
  "model",
  "web",
  "verdict",
  "queue",
  "console",
  "serve",
  "report",
  "agent",
  "run",
];
const REVIEWS = ["dataset", "question", "distractors", "review"];

const ROOMS = {
  base: [],
  stats: ["base"],
  store: ["base"],
  trust: ["base", "store"],
  syntax: ["base"],
  workspace: ["base"],
  model: ["base", "stats", "store", "trust"],
  queue: ["base", "store", "model"],
  web: ["base"],
  verdict: ["base", "stats"],
  dataset: ["base", "stats", "store", "model", "verdict"],
  question: ["base", "stats", "store", "trust", "dataset"],
  distractors: ["base", "stats", "store", "syntax", "model", "dataset", "question"],
  report: ["base", "stats", "model", "web", "verdict"],
  console: ["base", "store", "trust", "model", "verdict", "report"],
  serve: ["base", "console"],
  review: ["base", "stats", "store", "syntax", "web", "console", "serve", "dataset", "question"],
  agent: ["base", "store", "model", "workspace"],
  run: ["base", "stats", "store", "trust", "model", "queue", "verdict", "console", "report"],
  trial: [
    "base",
    "stats",
    "store",
    "trust",
    "syntax",
    "workspace",
    "model",
    "verdict",
    "console",
    "report",
    "agent",
    "run",
  ],
  judge: ["base", "stats", "store", "model", "verdict", "console", "report", "agent", "run", "trial"],
  suites: [...SHARED, ...REVIEWS, "trial", "judge"],
  cli: [...SHARED, ...REVIEWS, "trial", "judge", "suites"],
};

const roomRules = Object.entries(ROOMS).map(([room, allowed]) => ({
  name: `${room}-imports-only-${allowed.length === 0 ? "itself" : allowed.join("-")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: { path: "^(src|probes)/", pathNot: `^src/(${[room, ...allowed].join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: "every-file-is-in-a-room",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/((${Object.keys(ROOMS).join("|")})/|(index|suite-library)[.]ts$)` },
      to: {},
    },
    {
      name: "no-suite-knows-another",
      severity: "error",
      from: { path: "^src/suites/([^/]+)/" },
      to: { path: "^src/suites/[^/]+/", pathNot: "^src/suites/$1/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        path: "^(src|probes)/",
        pathNot: "^(probes/|src/index|src/suite-library[.]ts|src/cli/main)",
      },
      to: {},
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "probes-know-the-question-alone",
      severity: "error",
      from: { path: "^probes/" },
      to: { path: "^src/(?!base/|dataset/example[.]ts|question/)" },
    },
    {
      name: "only-the-edge-uses-the-console-packages",
      severity: "error",
      from: { pathNot: "^src/(cli|console|report|suites/[^/]+/(cli|report))/" },
      to: { path: "node_modules/(yargs|cli-table3|wrap-ansi)/" },
    },
    {
      name: "only-the-queue-knows-redis",
      severity: "error",
      comment:
        "Its packages are installed by those who use a queue: `connectRedis` says so before anything else needs them.",
      from: { pathNot: "^src/queue/" },
      to: { path: "node_modules/(bullmq|ioredis)/" },
    },
    {
      name: "no-dev-dependencies",
      severity: "error",
      from: { path: "^(src|probes)/" },
      to: { dependencyTypes: ["npm-dev"], pathNot: "node_modules/(node-llama-cpp|bullmq|ioredis)/" },
    },
    {
      name: "the-engine-may-be-missing",
      comment: "It is fetched by `probe engine install`: only its types are known before it was found.",
      severity: "error",
      from: { path: "^(src|probes)/" },
      to: { path: "node_modules/node-llama-cpp/", dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
