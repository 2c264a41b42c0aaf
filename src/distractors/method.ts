/**
 * How wrong options are made (spec §3). `paper`: by the paper's algorithms alone. `matched`: at the paper's difficulties, and so
 * that who reads nothing cannot tell the right option from the wrong ones.
 */
export const BUILD_METHODS = ["matched", "paper"] as const;
export type BuildMethod = (typeof BUILD_METHODS)[number];
