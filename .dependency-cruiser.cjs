// Imports point towards src/domain: a folder may import itself and the folders before it in this list, no other.
const LAYERS = [
  "src/domain",
  "src/file",
  "src/page",
  "src/syntax",
  "src/dataset",
  "src/describe",
  "src/curate",
  "src/import",
  "src/question",
  "src/permutation",
  "src/prompt",
  "src/model",
  "src/build",
  "src/answer",
  "src/result",
  "src/metric",
  "src/run",
  "src/audit",
  "src/report",
  "src/cli",
];

const layerRules = LAYERS.slice(0, -1).map((layer, i) => ({
  name: `${layer.replace("src/", "")}-imports-towards-domain`,
  comment: `${layer} may import only ${LAYERS.slice(0, i + 1).join(", ")}.`,
  severity: "error",
  from: { path: `^${layer}/` },
  to: { path: `^(${LAYERS.slice(i + 1).join("|")}|src/index)` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^(src|probes)/", pathNot: "^(probes/|src/index|src/cli/main)" },
      to: {},
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "probes-know-domain-and-question",
      severity: "error",
      from: { path: "^probes/" },
      to: { path: "^src/(?!domain|question)" },
    },
    {
      name: "only-the-edge-uses-the-console-packages",
      severity: "error",
      from: { pathNot: "^src/(cli|report)/" },
      to: { path: "node_modules/(yargs|cli-progress|cli-table3)/" },
    },
    {
      name: "no-dev-dependencies",
      severity: "error",
      from: { path: "^(src|probes)/" },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
