/** The exit code of a command that did its work, when it is an answer: `grep` without a match, tests that fail. */
export function exitCodeText(exitCode: number | null | undefined): string | null {
  return exitCode == null || exitCode <= 0 ? null : `exit ${exitCode}`;
}
