/** What the rules pick, by name, as a half sentence. A rule of one's own probe has none. */
export const RULE_TEXTS: Readonly<Record<string, string>> = {
  keywords: "CTR: delete where a word of the review asks for less, add where one asks for more, else modify",
  lowest_lines: "CL: the lowest line numbers",
  highest_lines: "CL: the highest line numbers",
  nearest_middle: "CL: the lines nearest to the middle of the hunk",
  smallest_span: "CL: the lines closest together",
  fewest_runs: "CL: the lines in fewest runs",
  medoid: "CL: the option that shares most lines with the others",
  medoid_fewest_runs: "CL: likewise, among equals the one in fewest runs",
  longest_lines: "CL: the longest lines of code",
  fewest_blank_lines: "CL: the fewest blank lines and lone brackets",
  review_overlap: "CL, SI: the option whose code has most words of the review",
  longest: "the longest option",
  shortest: "the shortest option",
  medoid_tokens: "the option whose tokens are most like those of the others",
  medoid_characters: "SI: the option most like the others, by characters",
  tokens_in_prompt: "SI: the option whose added words are already in the prompt",
};
