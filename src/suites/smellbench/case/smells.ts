/** The seven kinds of smells, and how a person calls each. */
export const SMELLS = {
  feature_envy: "feature envy",
  god_classes: "god class",
  data_clumps: "data clump",
  shotgun_surgery: "shotgun surgery",
  dead_code_elimination: "dead code",
  interface_segregation: "interface too wide",
  deeply_inlined_method: "deeply inlined method",
} as const;

/** A kind of smell, as cases name it. */
export type Smell = keyof typeof SMELLS;

export const SMELL_NAMES = Object.keys(SMELLS) as readonly Smell[] as readonly [Smell, ...Smell[]];

/** By the least number of files that a smell is spread over: 1, 2, 3; of shotgun surgery 2, 3, 4. */
export const DIFFICULTIES = ["easy", "medium", "hard"] as const;
/** How far a smell is spread. */
export type Difficulty = (typeof DIFFICULTIES)[number];

/** What an agent is told: the smell and its file, or class and method too. */
export const SETTINGS = ["guided", "targeted"] as const;
/** What an agent is told: the smell and its file (`guided`), or class and method too (`targeted`). */
export type Setting = (typeof SETTINGS)[number];
