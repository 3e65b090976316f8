import type { Access } from '@signalbox/core';

/** Whether a path, relative to the workspace and normalised, is kept from commands and tools. Asks no disk. */
export type IsDenied = {
  (path: string, access: Access): boolean;
  /** What it goes by now, another value once a policy has changed; who remembers its answers asks. Default: no change. */
  readonly basis?: () => unknown;
};

const HARMLESS_SUFFIXES = ['.example', '.sample', '.template', '.dist', '.defaults'];

/** Where policy says nothing else: our own state and secrets for both, git's own files and policy for writing. */
export const defaultIsDenied: IsDenied = (path, access) => {
  const segments = path.split('/');
  if (segments[0] === '.signalbox' || segments.some(isSecret)) return true;
  return access === 'write' && (segments.includes('.git') || POLICY_FILES.includes(path));
};

/** Files that say what may run; no command may change what it is judged by. */
export const POLICY_FILES: readonly string[] = ['signalbox.yaml', 'signalbox.yml'];

/** By name: `.env` and its variants but for examples, and folders named `secrets`. */
function isSecret(name: string): boolean {
  if (name === 'secrets' || name === '.env') return true;
  return name.startsWith('.env.') && !HARMLESS_SUFFIXES.some((suffix) => name.endsWith(suffix));
}
