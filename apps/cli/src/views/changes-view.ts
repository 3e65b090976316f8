import type { FileDiff } from '../runtime/contract/file-diff.ts';
import { quoteWord } from '../terminal/quote-word.ts';
import { cells, column } from '../terminal/cells.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { diffRow } from './diff-row.ts';

/** Git's own files are put and taken back with the others, and say nothing to a reader. */
export function withoutGit<Of extends Readonly<{ path: string }>>(changes: readonly Of[]): readonly Of[] {
  return changes.filter(({ path }) => !path.split('/').includes('.git'));
}

/** Lines that came are green, lines that went red. */
export function patchView({ patch }: FileDiff): readonly Line[] {
  return patch.split('\n').map((row, at) => {
    const text = row.replaceAll('\t', '  ');
    // The first two name the file; a removed line of text may begin with `--` too.
    if (at < 2) return line(as('bold', text));
    if (row.startsWith('@@')) return line(as('accent', text));
    return diffRow(text);
  });
}

/** Commands that a row names; of a file that many have changed the rest is counted. */
const MOST_NAMED = 4;

/**
 * ` src/cart.ts   +4 -2   openai +3 -1 (k7f3)`, one line a file.
 *
 * @param files the oldest change first; `since` is what became of it.
 */
export function statView(
  files: readonly (FileDiff & Readonly<{ provider: string; label: string; since: string | null }>)[],
  by: 'command' | 'provider',
): readonly Line[] {
  const paths = [...new Set(files.map(({ path }) => path))].toSorted();
  const width = paths.reduce((most, path) => Math.max(most, cells(path)), 0);
  return paths.map((path) => {
    const of = files.filter((file) => file.path === path);
    const who = by === 'provider' ? byProvider(of) : of.map((file) => ({ ...file, labels: [file.label] }));
    const more = who.length - MOST_NAMED;
    const since = of.at(-1)?.since ?? null;
    return line(
      ' ',
      column(path, width),
      '  ',
      ...counts(sumOf(of)),
      ...who
        .slice(0, MOST_NAMED)
        .flatMap((one) => [
          '   ',
          muted(`${one.provider} `),
          ...counts(one),
          muted(` (${labelsText(one.labels)})`),
        ]),
      muted(more > 0 ? `   and ${more} more: signalbox history --path ${quoteWord(path)}` : ''),
      as('warn', since === null ? '' : `   ${since}`),
    );
  });
}

function labelsText(labels: readonly string[]): string {
  const more = labels.length - MOST_NAMED;
  return more > 0 ? `${labels.slice(0, MOST_NAMED).join(', ')}, and ${more} more` : labels.join(', ');
}

type Count = Readonly<{ added: number; removed: number }>;

function byProvider(files: readonly (Count & Readonly<{ provider: string; label: string }>)[]) {
  return [...Map.groupBy(files, ({ provider }) => provider)].map(([provider, of]) => ({
    provider,
    ...sumOf(of),
    labels: of.map(({ label }) => label),
  }));
}

function sumOf(files: readonly Count[]): Count {
  return files.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
}

function counts({ added, removed }: Count) {
  return [as('ok', `+${added}`), ' ', as('danger', `-${removed}`)] as const;
}

/** What became since of what a command left; null where it stands there still. */
export function sinceThen(
  { current, byHand }: Readonly<{ current: boolean; byHand: boolean }>,
  undone: 'all' | 'part' | 'nothing' = 'nothing',
): 'changed since' | 'edited by hand since' | 'undone since' | 'partly undone since' | null {
  if (undone === 'all') return 'undone since';
  if (undone === 'part') return 'partly undone since';
  if (current) return null;
  return byHand ? 'edited by hand since' : 'changed since';
}
