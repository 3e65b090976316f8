/** Part of what a command printed. */
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
  /** Lines of the stream; null where reading stopped before the end. */
  readonly totalLines: number | null;
  /** Why `lines` come from the head and tail that the result shows, and not from the full output. */
  readonly cut: 'no-longer-kept' | 'too-long' | null;
};

/** What earlier commands of the caller printed, without secrets. */
export interface Outputs {
  /**
   * Linear in the length of the stream, and bounded in what it returns.
   *
   * @throws {ToolFailure} `unknown-command` for an id that nobody knows, `no-longer-kept` for one that history has
   * dropped, `not-your-command` for one of somebody else, `not-ended` while it runs.
   */
  read(query: OutputQuery): Promise<OutputPart>;
}
