/** What a command answered that did its work, where that is more than its output: `grep` without a match, tests that fail. */
export function exitCodeText(exitCode: number | null | undefined): string | null {
  return exitCode == null || exitCode <= 0 ? null : `exit ${exitCode}`;
}
