import type { AddCommand } from "../../../console/command.js";

/** `probe dataset import`. */
export const importCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "import <source>",
    "fetch a dataset from the Hugging Face hub, or one's own reviews from GitHub, GitLab or a CSV file",
    (command) =>
      command
        .usage(
          "$0 dataset import hf:OWNER/NAME[@REVISION][/FILE]\n" +
            "$0 dataset import github:OWNER/REPO\n" +
            "$0 dataset import gitlab:GROUP/PROJECT\n" +
            "$0 dataset import FILE.csv\n\n" +
            "hf: fetches a JSONL file at the commit its revision stands for, checks its hash, and checks its records. " +
            "HF_TOKEN: a token for gated datasets; HF_ENDPOINT: another hub.\n\n" +
            "github: reads the inline comments of merged pull requests and the change that followed each, into raw " +
            "triples for `probe dataset build`. GITHUB_TOKEN or GH_TOKEN: a token (60 requests an hour without, 5,000 " +
            "with); GITHUB_API_URL: another server. Stopped at any moment, the same command goes on.\n\n" +
            "gitlab: likewise of merge requests; GROUP may have subgroups. GITLAB_TOKEN: a token that may read the API; " +
            "GITLAB_API_URL (in GitLab's CI: CI_API_V4_URL): another server.\n\n" +
            "FILE.csv, FILE.tsv: reads a table whose first line names its columns: pre_review_code, code_review, " +
            "post_review_code, language, and any of id, repo, source, license.\n\n" +
            "Where the data came from is written beside it, in FILE.source.json.",
        )
        .positional("source", {
          type: "string",
          demandOption: true,
          describe: "hf:OWNER/NAME, github:OWNER/REPO, gitlab:GROUP/PROJECT or FILE.csv",
        })
        .options({
          out: {
            type: "string",
            requiresArg: true,
            describe: "file to write (default: NAME.jsonl here, after what is imported)",
          },
          overwrite: { type: "boolean", describe: "replace a file that exists" },
          since: {
            type: "string",
            requiresArg: true,
            describe: "github, gitlab: merged on this day or later, YYYY-MM-DD (UTC)",
          },
          until: {
            type: "string",
            requiresArg: true,
            describe: "github, gitlab: merged on this day or before, YYYY-MM-DD (UTC)",
          },
          "max-pulls": {
            type: "string",
            requiresArg: true,
            describe: "github, gitlab: at most N merged requests, the first that were opened",
          },
          "api-key-env": { type: "string", requiresArg: true, describe: "environment variable that holds the token" },
          "skip-invalid": { type: "boolean", describe: "leave out invalid rows of FILE.csv, say how many" },
          json: { type: "boolean", describe: "print one JSON document" },
          quiet: { alias: "q", type: "boolean", describe: "no messages, no progress" },
        })
        .example("$0 dataset import hf:Tomo-Melb/CodeReviewQA", "the official 900 records")
        .example("$0 dataset import github:octo-org/hello --since 2025-01-01 --out hello.jsonl", "one's own reviews")
        .example("$0 dataset import reviews.csv --out raw.jsonl", "reviews in a table"),
    async (argv) => {
      const { handleImport } = await import("./import-handler.js");
      done(await handleImport(argv, console));
    },
  );
