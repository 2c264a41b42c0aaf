/** Permissions of a command, besides reading its system. */
export interface Permissions {
  /** Its tree. */
  readonly workspace: string;
  readonly writesWorkspace: boolean;
  /** Further folders that it may write to. */
  readonly writes: readonly string[];
  /** Folders in hidden places that it may read, such as of a test runner. */
  readonly reads: readonly string[];
  /**
   * Folders of the host by the paths at which a command sees them, such as the workspace at `/app`; without a cage, none
   * can.
   */
  readonly at?: Readonly<Record<string, string>>;
  readonly network: boolean;
}
