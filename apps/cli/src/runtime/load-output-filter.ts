import type { FiltersSettings, OutputFilter } from '@signalbox/core';
import { compileRegex } from '@signalbox/policy';

/**
 * The filters of the current settings. They are loaded when the first command has ended, so that a start does not wait
 * for them.
 */
export function createFilterLoader(settings: () => FiltersSettings): () => Promise<OutputFilter> {
  let made: { readonly of: FiltersSettings; readonly filter: OutputFilter } | undefined;
  return async () => {
    const { createOutputFilter } = await import('@signalbox/filters');
    const current = settings();
    if (made?.of !== current) {
      made = { of: current, filter: createOutputFilter({ settings: current, compileRegex }) };
    }
    return made.filter;
  };
}
