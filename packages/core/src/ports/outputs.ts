/** Part of a command's output. */
export type OutputQuery = {
  /** As the caller wrote it. */
  readonly command: string;
  readonly stream: 'stdout' | 'stderr';
  readonly part:
    | { readonly kind: 'from'; readonly firstLine: number }
    | { readonly kind: 'tail' }
    /** Literal text, ignoring case. */
    | { readonly kind: 'search'; readonly text: string };
  readonly maxLines: number;
};

export type OutputPart = {
  /** In order. Long lines are shortened. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  /** Where to continue with `from`; null at the end. */
  readonly nextLine: number | null;
  /** Lines of the stream; null when reading stopped before the end. */
  readonly totalLines: number | null;
  /** Why `lines` come from the head and tail in the result, and not from the full output. */
  readonly cut: 'no-longer-kept' | 'too-long' | null;
  /** Where the output came from, if that is outside of the workspace. */
  readonly untrusted?: string;
};

/** Output of earlier commands of the caller, redacted. */
export interface Outputs {
  /**
   * Linear in the length of the stream, and bounded in what it returns.
   *
   * @throws {ToolFailure} `unknown-command` for an unknown id, `no-longer-kept` for one that history has dropped,
   * `not-your-command` for one of another caller, `not-ended` while it runs.
   */
  read(query: OutputQuery): Promise<OutputPart>;
}
