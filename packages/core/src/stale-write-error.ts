import type { ContentHash } from './file-touch.ts';
import { SignalboxError } from './errors.ts';

/** What stands in a file is not what the writer had read: its session must read it again. */
export class StaleWriteError extends SignalboxError {
  readonly code = 'stale-write';
  readonly path: string;
  /** What stands there now; null when nothing does. */
  readonly current: { readonly hash: ContentHash; readonly text: string | null } | null;

  constructor(path: string, current: StaleWriteError['current']) {
    super(`Cannot write "${path}": it is not what you read`);
    this.path = path;
    this.current = current;
  }
}
