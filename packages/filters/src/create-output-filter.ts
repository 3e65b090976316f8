import {
  estimateTokens,
  type FilterConfidence,
  type FilteredOutput,
  type FiltersSettings,
  type OutputFilter,
  type PrintedOutput,
} from '@signalbox/core';
import { BUILT_IN_FILTERS, plain } from './built-in/built-in-filters.ts';
import { showsContent } from './built-in/readers.ts';
import { anySignature, chooseFilters } from './choose-filters.ts';
import { declaredFilter } from './declared-filter.ts';
import type { Filter } from './filter.ts';
import { filterText, type FilterResult, unfiltered } from './filter-text.ts';
import type { CompileRegex } from './match/command-matcher.ts';

/** Shorter outputs stay as they are, unless they control a terminal. */
const SHORT = 400;
/** Names of more filters are not listed. */
const MAX_NAMES = 3;

export type OutputFilterOptions = {
  readonly settings: FiltersSettings;
  /** Compiles the patterns of the settings, which may come with a repository: in linear time for any text. */
  readonly compileRegex: CompileRegex;
  /** Filters in code, tried before all others. Default: none. */
  readonly custom?: readonly Filter[];
};

/**
 * Shortens what programs print, for a model. The filters of the settings are tried first, then the built-in ones. A
 * filter that fails, or that leaves nothing of an output, leaves all of it.
 *
 * @throws for a pattern of the settings that can't be used; `checkFilters` finds it
 */
export function createOutputFilter({
  settings,
  compileRegex,
  custom = [],
}: OutputFilterOptions): OutputFilter {
  const off = new Set(settings.off);
  const except = new Set(settings.except_providers);
  const declared = Object.entries(settings.define).map(([name, one]) =>
    declaredFilter(name, one, compileRegex),
  );
  const filters = [...custom, ...declared, ...BUILT_IN_FILTERS].filter(({ name }) => !off.has(name));
  const choice = {
    filters,
    otherwise: off.has(plain.name) ? undefined : plain,
    signature: anySignature(filters),
  };

  return {
    filter(output) {
      if (!settings.enabled || except.has(output.provider)) return null;
      if (output.stdout.length + output.stderr.length < SHORT) return null;
      const chosen = chooseFilters(output, choice);
      return chosen.length === 0 ? null : applied(output, chosen);
    },
    hidesPaths: (pipes) => settings.hide_paths && pipes.length > 0 && !pipes.some(showsContent),
  };
}

function applied(
  { stdout, stderr }: Pick<PrintedOutput, 'stdout' | 'stderr'>,
  filters: readonly Filter[],
): FilteredOutput | null {
  const [out, err] = shortened(stdout, stderr, { filters });
  const before = estimateTokens(stdout) + estimateTokens(stderr);
  const after = estimateTokens(out.text) + estimateTokens(err.text);
  const confidence = lowest(out, err);
  if (after >= before && confidence !== 'fallback') return null;
  return {
    stdout: out.text,
    stderr: err.text,
    leftOut: { stdout: out.lines - out.keptLines, stderr: err.lines - err.keptLines },
    use: {
      filter: nameOf(filters),
      confidence,
      keptLines: out.keptLines + err.keptLines,
      lines: out.lines + err.lines,
      keptTokens: after,
      savedTokens: Math.max(0, before - after),
    },
  };
}

function shortened(
  stdout: string,
  stderr: string,
  { filters }: Readonly<{ filters: readonly Filter[] }>,
): readonly [FilterResult, FilterResult] {
  try {
    const [out, err] = [filterText(stdout, filters), filterText(stderr, filters)];
    if (!isBlank(out.text) || !isBlank(err.text) || (isBlank(stdout) && isBlank(stderr))) return [out, err];
  } catch {
    // Whatever the reason, the model reads everything.
  }
  return [unfiltered(stdout), unfiltered(stderr)];
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** One of the streams is usually silent, or holds the summary for both. */
function lowest(out: FilterResult, err: FilterResult): FilterConfidence {
  const both = new Set([out.confidence, err.confidence]);
  if (both.has('fallback')) return 'fallback';
  return both.has('full') ? 'full' : 'partial';
}

function nameOf(filters: readonly Filter[]): string {
  const names = filters.slice(0, MAX_NAMES).map(({ name }) => name);
  return filters.length > MAX_NAMES ? [...names, '…'].join('+') : names.join('+');
}
