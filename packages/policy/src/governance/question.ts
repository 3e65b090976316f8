import type { CallContext, Mode, Tool, Verdict } from '@signalbox/core';

/** The part of a call that governance reads. */
export type Question = {
  // oxlint-disable-next-line typescript/no-explicit-any -- tools of every kind of arguments are asked about; none is called here
  readonly tool: Tool<any>;
  /** The classifier's for a shell line, {@link verdictOfTool}'s for all others; effects of both, normalised. */
  readonly verdict: Verdict;
  /**
   * The shell line of tools that take one, for user rules; null for all others. When it is missing, rules on lines
   * can't be sure of anything: those that hold back ask, those that allow don't apply.
   */
  readonly line?: string | null;
  readonly mode: Mode;
  readonly context: Pick<CallContext, 'provider' | 'sessionId' | 'trust' | 'phase'>;
  /** Whether the command would really be confined. */
  readonly sandboxed: boolean;
  /**
   * Absolute folders, such as `/tmp`, that a shell line of this call would have to itself. Absent: none, or unknown.
   */
  readonly ownFolders?: readonly string[] | undefined;
  /** Whether all changes of the call in the workspace are known when it has ended and can be undone. Absent: no. */
  readonly reversible?: boolean;
  /** Size of the largest text among the arguments, in UTF-8. */
  readonly contentBytes: number;
};
