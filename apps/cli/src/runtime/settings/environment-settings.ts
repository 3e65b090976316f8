import { parse } from 'yaml';
import type { SettingsSource } from './settings-source.ts';

/** Our variables that are not settings. */
const OTHERS: ReadonlySet<string> = new Set([
  'SIGNALBOX_ASCII',
  'SIGNALBOX_PLAIN',
  'SIGNALBOX_PAGER',
  'SIGNALBOX_COMMAND',
  'SIGNALBOX_REDIS_URL',
  'SIGNALBOX_TOKEN',
]);

/**
 * Settings from the environment: `SIGNALBOX_MODE=ALERT`. Two underscores go one level down:
 * `SIGNALBOX_APPROVAL__EXPIRY=15m`. Values are parsed as YAML, so `true` and `3` keep their types.
 */
export function environmentSettings(
  env: Readonly<Record<string, string | undefined>>,
): readonly SettingsSource[] {
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith('SIGNALBOX_') && !OTHERS.has(name) && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text = '']) => {
      const path = name.slice('SIGNALBOX_'.length).toLowerCase().split('__');
      return {
        name,
        kind: 'local',
        value: path.reduceRight<unknown>((value, key) => ({ [key]: value }), scalarOf(text)),
        lineOf: () => null,
        pictureOf: () => undefined,
      };
    });
}

function scalarOf(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}
