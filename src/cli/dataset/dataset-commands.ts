import { type Command, command } from "../../console/command.js";
import { APPLY, BUILD, FILTER, IMPORT, KAPPA, REVIEW, SAMPLE, SHORTCUTS, STATS, VALIDATE } from "./dataset-options.js";

/** The commands of `probe dataset`, in the order in which a benchmark is made. */
export const DATASET_COMMANDS: readonly Command[] = [
  command({
    name: "import",
    describe: "fetch a dataset from the Hugging Face hub, or one's own reviews from GitHub, GitLab or a CSV file",
    synopsis: [
      "hf:OWNER/NAME[@REVISION][/FILE]",
      "github:OWNER/REPO",
      "gitlab:GROUP/PROJECT",
      "FILE.csv",
      "promptfoo:FILE",
    ],
    about:
      "hf: fetches a JSONL file at the commit its revision stands for, checks its hash, and checks its records. " +
      "HF_TOKEN: a token for gated datasets; HF_ENDPOINT: another hub.\n\n" +
      "github: reads the inline comments of merged pull requests and the change that followed each, into raw " +
      "triples for `probe dataset build`. GITHUB_TOKEN or GH_TOKEN: a token (60 requests an hour without, 5,000 " +
      "with); GITHUB_API_URL: another server. Stopped at any moment, the same command goes on.\n\n" +
      "gitlab: likewise of merge requests; GROUP may have subgroups. GITLAB_TOKEN: a token that may read the API; " +
      "GITLAB_API_URL (in GitLab's CI: CI_API_V4_URL): another server.\n\n" +
      "FILE.csv, FILE.tsv: reads a table whose first line names its columns: pre_review_code, code_review, " +
      "post_review_code, language, and any of id, repo, source, license.\n\n" +
      "promptfoo:FILE.yaml, promptfoo:FILE.json: reads the tests of a configuration, or of results, whose vars have these " +
      "names; assertions are left out.\n\n" +
      "Where the data came from is written beside it, in FILE.source.json.",
    options: IMPORT,
    examples: [
      ["hf:Tomo-Melb/CodeReviewQA", "the official 900 records"],
      ["github:octo-org/hello --since 2025-01-01 --out hello.jsonl", "one's own reviews"],
      ["reviews.csv --out raw.jsonl", "reviews in a table"],
    ],
    run: async (...call) => (await import("./import-handler.js")).handleImport(...call),
  }),
  command({
    name: "filter",
    describe: "leave out reviews that are unclear or unfaithful by the paper's heuristics, each with its reason",
    synopsis: "<in> --out FILE",
    about:
      "Writes the reviews that pass the paper's heuristics (Appendix C), each " +
      "line as it stood. Left out are reviews of under 10 characters, with a ``` code block, or that mention " +
      "indentation, spacing, lint, revert, as above or ditto (in any case, also within a word).",
    options: FILTER,
    examples: [
      ["mine.jsonl --out clean.jsonl", "the funnel: how many were dropped, and why"],
      ["mine.jsonl --out clean.jsonl --drops drops.jsonl", "and every single drop"],
    ],
    run: async (...call) => (await import("./filter-handler.js")).handleFilter(...call),
  }),
  command({
    name: "sample",
    describe: "draw examples by language, and within a language evenly over the repositories",
    synopsis: "<in> --out FILE --per-language N",
    about:
      "Writes a stratified sample, each line as it stood, in " +
      "file order. Within a language the repositories take turns in a random order, one example a turn, so that " +
      "no project dominates. Examples without a field `repo` count as one repository.",
    options: SAMPLE,
    examples: [["clean.jsonl --out hundred.jsonl --per-language 100 --seed 1", "as in the paper"]],
    run: async (...call) => (await import("./sample-handler.js")).handleSample(...call),
  }),
  command({
    name: "stats",
    describe: "describe a file as the paper's Table 5 does: comments, edits, locations, ratios",
    about:
      "Minimum, maximum, mean, standard deviation and quartiles of comment length, code " +
      "edit distance, change locations, code element ratio and specification ratio (paper, Appendix D). " +
      "Of a benchmark also what a model must know of each form's questions for a verdict above its floor.",
    options: STATS,
    examples: [
      ["mine.jsonl", "the table"],
      ["mine.jsonl --language py,go --csv stats.csv", "two languages, also as CSV"],
    ],
    run: async (...call) => (await import("./stats-handler.js")).handleStats(...call),
  }),
  command({
    name: "review",
    describe: "verify examples by hand, in the browser: keep, or drop for one of seven reasons",
    synopsis: "<file> --annotator NAME",
    about:
      "Serves a page to this machine alone that shows hunk, comment, " +
      "revision and questions. Every decision is on disk at once; the same command goes on where it stopped. " +
      "Ctrl-C ends it.",
    options: REVIEW,
    examples: [
      ["s.jsonl --annotator ada", "decide; saved in s.jsonl.review.ada.jsonl"],
      ["s.jsonl -a both --conflicts ada.jsonl --conflicts bob.jsonl", "resolve conflicts together"],
    ],
    run: async (...call) => (await import("./review-handler.js")).handleReview(...call),
  }),
  command({
    name: "kappa",
    describe: "agreement of two annotators beyond chance, and what they disagree on",
    about:
      "Cohen's kappa with its 95 % interval (Fleiss, Cohen & Everitt 1969) over the " +
      "examples that both decided, and the list of conflicts. With --rounds or --round-size: its mean and " +
      "standard deviation over rounds of consecutive examples, as the paper reports it. With --resolve: writes the lines of the reviewed " +
      "data that both kept, and says what became of the others; only where a question was dropped is a line changed, " +
      "by its not_asked.",
    options: KAPPA,
    examples: [
      ["ada.jsonl bob.jsonl", "kappa and conflicts"],
      ["ada.jsonl bob.jsonl --rounds 46", "kappa by round too"],
      [
        "ada.jsonl bob.jsonl --resolve agreed.jsonl --resolutions both.jsonl",
        "the agreed set, resolved conflicts included",
      ],
    ],
    run: async (...call) => (await import("./decisions-handlers.js")).handleKappa(...call),
  }),
  command({
    name: "apply",
    describe: "the examples and questions that the check by hand leaves",
    synopsis: "<file> <decisions..> --out FILE",
    about:
      "Writes what one or more annotators kept: an example " +
      "that all of them keep stays as it stands; a question that one of them dropped by itself (of an example in " +
      "--resolutions: that was dropped there) is named in the record's `not_asked`, and no run asks it.",
    options: APPLY,
    examples: [
      ["b.jsonl b.jsonl.review.ada.jsonl --out checked.jsonl", "what Ada left"],
      ["b.jsonl ada.jsonl bob.jsonl --out checked.jsonl", "what both kept"],
    ],
    run: async (...call) => (await import("./decisions-handlers.js")).handleApply(...call),
  }),
  command({
    name: "build",
    describe: "make records with the options of every question from code reviews",
    synopsis: "<input> --out FILE [--writer M | --surrogate M]",
    about:
      "Makes official records from triples of pre-review code, review and post-review code. Wrong\n" +
      "revisions are two near misses, each alone and both; a model may write them, a surrogate add some.\n" +
      "Options are chosen over all questions, so that rules which read nothing find none of them.\n" +
      "A build that was stopped goes on with the same command.",
    options: BUILD,
    examples: [
      ["reviews.jsonl --out bench.jsonl", "wrong revisions of near misses, no model"],
      ["reviews.jsonl --out bench.jsonl --writer openai:gpt-5", "near misses that a strong model writes"],
      ["reviews.jsonl --out bench.jsonl --surrogate tiny", "with the bundled model, to try"],
      ["reviews.jsonl --out bench.jsonl --surrogate qwen2.5-coder-7b.gguf --seed 7", "with a real one"],
    ],
    run: async (...call) => (await import("./build-handler.js")).handleBuild(...call),
  }),
  command({
    name: "validate",
    describe: "check every record of JSONL files; exit code 2 when one is invalid",
    about:
      "Checks syntax, types, line numbers, set sizes and distinct options of records, and whether raw triples can be built from. Problems of one kind are told once, with their number; --json lists each.",
    options: VALIDATE,
    examples: [["my-reviews.jsonl", "file, line, field, expected, found"]],
    run: async (...call) => (await import("./validate-handler.js")).handleValidate(...call),
  }),
  command({
    name: "shortcuts",
    describe: "measure what the questions give away: rules that pick an option without comprehension",
    about:
      "How often simple rules are right that see only the options, options and code, or words of the\n" +
      "review; with 95 % intervals. The highest is the floor of a form: a score says something only above it.\n" +
      "Asks no model.",
    options: SHORTCUTS,
    examples: [
      ["bench.jsonl", "the tables"],
      ["bench.jsonl --json --out shortcuts.json", "for programs, also as a file"],
    ],
    run: async (...call) => (await import("./shortcuts-handler.js")).handleShortcuts(...call),
  }),
];
