import type { SettingsPath } from '../keys/settings-path.ts';

/** One file of settings: `user` from the home directory, `workspace` shared in the repository, `local` yours beside it. */
export type SettingsLayer = {
  readonly kind: 'user' | 'workspace' | 'local';
  /** As messages name it: `signalbox.yaml`. */
  readonly source: string;
  readonly value: unknown;
  /** Line of a key, counted from 1; null where there are none. Default: there are none. */
  readonly lineOf?: (path: SettingsPath) => number | null;
};
