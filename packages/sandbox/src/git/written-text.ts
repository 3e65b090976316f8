import type { WriteSetChange } from '../overlay/write-set.ts';
import { bytesAt } from './bytes-at.ts';
import { unsafeKeys } from './new-settings.ts';

/** A file that a command wrote. */
export type WrittenEntry = Extract<WriteSetChange, { op: 'put' }>;

const MAX_TEXT_BYTES = 1024 ** 2;
const UNREADABLE: readonly string[] = ['unreadable content'];

/** Null for a link, and for a file of more than 1 MiB. */
export function textOf({ kind, source }: WrittenEntry): string | null {
  if (kind === 'link') return null;
  return typeof source === 'string' ? textAt(source) : source.text;
}

/** Keys of the git settings in a written file that need approval; see {@link unsafeKeys}. */
export function settingsIn(put: WrittenEntry): readonly string[] {
  const text = textOf(put);
  return text === null ? UNREADABLE : unsafeKeys(text);
}

/** The same for a file on disk. */
export function settingsAt(path: string): readonly string[] {
  const text = textAt(path);
  return text === null ? UNREADABLE : unsafeKeys(text);
}

function textAt(path: string): string | null {
  return bytesAt(path, MAX_TEXT_BYTES)?.toString() ?? null;
}
