import type { Access } from '@signalbox/core';

const HARMLESS_SUFFIXES = ['.example', '.sample', '.template', '.dist', '.defaults'];

/** Files that decide what may run; no command may change the rules that it is judged by. */
const POLICY_FILES = new Set(['signalbox.yaml', 'signalbox.yml']);

/** Names at fixed paths that a command on a whole directory would reach. */
export const PROTECTED_PATHS: readonly string[] = ['.git', '.signalbox', ...POLICY_FILES];

/**
 * Paths that no settings can open: Signalbox's own state, `.env` files except examples, and folders named
 * `secrets`, for reading and writing; git's own files and the policy's, for writing. Case doesn't matter.
 */
export function isProtected(path: string, access: Access): boolean {
  const segments = path.toLowerCase().split('/');
  if (segments[0] === '.signalbox' || segments.some(isSecretName)) return true;
  if (access === 'read') return false;
  return segments.includes('.git') || POLICY_FILES.has(segments.join('/'));
}

function isSecretName(name: string): boolean {
  if (name === 'secrets' || name === '.env') return true;
  return name.startsWith('.env.') && !HARMLESS_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

/** Devices that store nothing. */
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|random|urandom)$/;

export function isHarmlessDevice(absolute: string): boolean {
  return HARMLESS_DEVICES.test(absolute);
}
