import type { ContentHash } from '../files/file-touch.ts';
import { SignalboxError } from './errors.ts';

/** The content of a file is not what the writer had read: its session must read it again. */
export class StaleWriteError extends SignalboxError {
  readonly code = 'stale-write';
  readonly path: string;
  /** The present content; null when the file does not exist. */
  readonly current: { readonly hash: ContentHash; readonly text: string | null } | null;

  constructor(path: string, current: StaleWriteError['current']) {
    super(`Cannot write "${path}": it is not what you read`);
    this.path = path;
    this.current = current;
  }
}
