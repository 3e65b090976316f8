import type { Access } from '@signalbox/core';

/**
 * Whether a path is denied to commands and tools. The path is relative to the workspace and normalised. Doesn't
 * access the disk.
 */
export type IsDenied = {
  (path: string, access: Access): boolean;
  /**
   * Identifies the current policy: a new value after each change, for callers that cache answers. Default:
   * never changes.
   */
  readonly basis?: () => unknown;
};

const HARMLESS_SUFFIXES = ['.example', '.sample', '.template', '.dist', '.defaults'];

/** The default policy: denies our state and secrets for both, git's own files and policy files for writing. */
export const defaultIsDenied: IsDenied = (path, access) => {
  const segments = path.split('/');
  if (segments[0] === '.signalbox' || segments.some(isSecret)) return true;
  return access === 'write' && (segments.includes('.git') || POLICY_FILES.includes(path));
};

/** Policy files. No command may change the policy it is checked against. */
export const POLICY_FILES: readonly string[] = ['signalbox.yaml', 'signalbox.yml'];

/** Judged by name: `.env` and its variants except examples, and folders named `secrets`. */
function isSecret(name: string): boolean {
  if (name === 'secrets' || name === '.env') return true;
  return name.startsWith('.env.') && !HARMLESS_SUFFIXES.some((suffix) => name.endsWith(suffix));
}
