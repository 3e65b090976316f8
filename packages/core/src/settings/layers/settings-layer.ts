import type { SettingsPath } from '../keys/settings-path.ts';

/** One settings file: `user` from the home directory, `workspace` shared in the repository, `local` yours beside it. */
export type SettingsLayer = {
  readonly kind: 'user' | 'workspace' | 'local';
  /** Name in messages: `signalbox.yaml`. */
  readonly source: string;
  readonly value: unknown;
  /** Line of a key, counted from 1; null when it has none. Default: no lines. */
  readonly lineOf?: (path: SettingsPath) => number | null;
};
