type Text = string | string[] | undefined;

/** The options of `probe run` as the parser hands them over. */
export interface RunArguments {
  readonly model?: Text;
  readonly task?: Text;
  readonly probe?: Text;
  /** Of the run that is resumed: its probes of one's own, and what they must be. */
  readonly recordedProbes?: readonly { readonly source: string; readonly sha256: string }[] | undefined;
  readonly difficulty?: Text;
  readonly dataset?: Text;
  readonly language?: Text;
  readonly sample?: Text;
  readonly seed?: Text;
  readonly limit?: Text;
  readonly promptMode?: Text;
  readonly mode?: Text;
  readonly earlyStop?: boolean | undefined;
  readonly modelArg?: Text;
  readonly baseUrl?: Text;
  readonly apiKeyEnv?: Text;
  readonly apiKeyFile?: Text;
  readonly concurrency?: Text;
  readonly allowGenerated?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly out?: Text;
  readonly resume?: Text;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly junit?: Text;
  readonly githubSummary?: boolean | undefined;
}
