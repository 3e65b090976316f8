import { readFileSync } from 'node:fs';
import { defaultSettings, type FilteredOutput, type FiltersSettings, ProviderId } from '@signalbox/core';
import { createOutputFilter, type OutputFilterOptions } from '../create-output-filter.ts';

/** What a real program once printed: `logs/NAME.txt`. */
export function recordedLog(name: string): string {
  return readFileSync(new URL(`../../logs/${name}.txt`, import.meta.url), 'utf8');
}

/** Patterns of tests are harmless. */
export const compileForTests: OutputFilterOptions['compileRegex'] = (pattern) => {
  const regex = new RegExp(pattern);
  return { steps: pattern.length, finds: (text) => regex.test(text) };
};

/** Filters what a program printed to its standard output; `line` is its words. */
export function filtered(
  line: string,
  stdout: string,
  more: Readonly<{
    settings?: Partial<FiltersSettings>;
    stderr?: string;
    custom?: OutputFilterOptions['custom'];
  }> = {},
): FilteredOutput | null {
  const { filter } = createOutputFilter({
    settings: { ...defaultSettings().filters, ...more.settings },
    compileRegex: compileForTests,
    ...(more.custom === undefined ? {} : { custom: more.custom }),
  });
  const pipes =
    line === '' ? [] : line.split('; ').map((pipe) => pipe.split(' | ').map((one) => [one.split(' ')]));
  return filter({ pipes, provider: ProviderId.parse('openai'), stdout, stderr: more.stderr ?? '' });
}
