import { canonicalJson } from '../../json.ts';
import type { SettingsProblem } from '../problem.ts';
import { defaultSettings, type Settings } from '../settings.ts';
import { getIn, type SettingsPath } from './settings-path.ts';

/**
 * Options of the specifications that are not implemented. A file may name them with their defaults; any other value is
 * refused, since it would have no effect.
 */
const NOT_BUILT_YET: readonly { readonly path: SettingsPath; readonly effect?: string }[] = [
  { path: ['sandbox', 'working_dir'] },
];

/** A problem for each such option that differs from its default. */
export function problemsOfNotBuilt(settings: Settings): readonly SettingsProblem[] {
  const defaults = defaultSettings();
  return NOT_BUILT_YET.filter(
    ({ path }) => canonicalJson(getIn(settings, path)) !== canonicalJson(getIn(defaults, path)),
  ).map(({ path, effect = 'it would have no effect' }) => ({
    path,
    message: `is not implemented yet: ${effect}; remove it, or set it to its default`,
  }));
}

/** Whether the option at this path is not implemented. */
export function isNotBuiltYet(path: SettingsPath): boolean {
  return NOT_BUILT_YET.some((option) => option.path.every((key, i) => path[i] === key));
}
