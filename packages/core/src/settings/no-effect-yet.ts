import { canonicalJson } from '../json.ts';
import type { Note } from './clamp-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { getIn, type SettingsPath } from './settings-path.ts';

/** Options of the specifications whose feature is still to come: they are read, checked and kept, and do nothing. */
const TO_COME: readonly SettingsPath[] = [
  ['sandbox', 'working_dir'],
  ['monitoring', 'enable_metrics'],
  ['agent', 'tool_filter'],
  ['agent', 'compress_provider'],
  ['agent', 'hallucination_detection'],
  ['agent', 'reasoning_model_detection'],
  ['tools', 'tafc'],
  ['tools', 'result_cache'],
  ['tools', 'dependencies'],
  ['tools', 'retry', 'parameter_reformat_provider'],
  ['tools', 'utility'],
  ['tools', 'adversarial_policy'],
];

/** A note on each such option that differs from its default. */
export function notesOnOptionsToCome(settings: Settings): readonly Note[] {
  const defaults = defaultSettings();
  return TO_COME.filter(
    (path) => canonicalJson(getIn(settings, path)) !== canonicalJson(getIn(defaults, path)),
  ).map((path) => ({ path, message: `"${path.join('.')}" is kept, but has no effect yet` }));
}

/** Whether nothing comes of what stands at this path. */
export function hasNoEffectYet(path: SettingsPath): boolean {
  return TO_COME.some((option) => option.every((key, i) => path[i] === key));
}
