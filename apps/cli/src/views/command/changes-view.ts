import type { ShownDiff } from '../../runtime/contract/file-diff.ts';
import { quoteWord } from '../../terminal/quote-word.ts';
import { cells, column, gap, lineCells } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { wrapLine } from '../../terminal/wrap-line.ts';
import { diffRow } from './diff-row.ts';

/** Git's own files are committed and undone with the others, but are of no interest to a reader. */
export function withoutGit<Of extends Readonly<{ path: string }>>(changes: readonly Of[]): readonly Of[] {
  return changes.filter(({ path }) => !path.split('/').includes('.git'));
}

/** Added lines are green, removed ones red. */
export function patchView({ patch }: ShownDiff): readonly Line[] {
  return patch.split('\n').map((row, at) => {
    const text = row.replaceAll('\t', '  ');
    // The first two name the file; a removed line of text may begin with `--` too.
    if (at < 2) return line(as('bold', text));
    if (row.startsWith('@@')) return line(as('accent', text));
    return diffRow(text);
  });
}

/** Commands named in a row; the rest is counted. */
const MAX_NAMED = 4;

/**
 * ` src/cart.ts +4 -2 openai +3 -1 (k7f3)`, one row per file.
 *
 * @param files oldest change first; `since` is what happened to it later.
 */
export function statView(
  files: readonly (ShownDiff & Readonly<{ provider: string; label: string; since: string | null }>)[],
  by: 'command' | 'provider',
  render: Pick<RenderContext, 'width'>,
): readonly Line[] {
  const paths = [...new Set(files.map(({ path }) => path))].toSorted();
  const stats = paths.map((path) => {
    const of = files.filter((file) => file.path === path);
    const who = by === 'provider' ? byProvider(of) : of.map((file) => ({ ...file, labels: [file.label] }));
    const more = who.length - MAX_NAMED;
    const since = of.at(-1)?.since ?? null;
    const facts = [
      line(...counts(sumOf(of))),
      ...who
        .slice(0, MAX_NAMED)
        .map((one) => line(muted(`${one.provider} `), ...counts(one), muted(` (${labelsText(one.labels)})`))),
      ...(more > 0 ? [line(muted(`and ${more} more: signalbox history --path ${quoteWord(path)}`))] : []),
      ...(since === null ? [] : [line(as('warn', since))]),
    ];
    return { path, facts };
  });
  const fits = (width: number, facts: readonly Line[]): boolean =>
    3 + width + lineCells(joined(facts)) <= render.width;
  const width = Math.max(0, ...stats.map(({ path, facts }) => (fits(cells(path), facts) ? cells(path) : 0)));
  return stats.flatMap(({ path, facts }) =>
    fits(Math.max(width, cells(path)), facts)
      ? [line(' ', column(path, width), '  ', ...joined(facts))]
      : [line(' ', path), ...packedRows(facts, render)],
  );
}

function joined(facts: readonly Line[]): Line {
  return facts.flatMap((fact, at) => (at === 0 ? fact : line(gap(3), fact)));
}

/** Facts below a path, as many per row as fit. */
function packedRows(facts: readonly Line[], { width }: Pick<RenderContext, 'width'>): readonly Line[] {
  const rows: Line[][] = [];
  for (const fact of facts) {
    const last = rows.at(-1);
    if (last === undefined || INDENT + lineCells(joined([...last, fact])) > width) rows.push([fact]);
    else last.push(fact);
  }
  return rows.flatMap((row) => wrapLine(line(gap(INDENT), joined(row)), width));
}

const INDENT = 4;

function labelsText(labels: readonly string[]): string {
  const more = labels.length - MAX_NAMED;
  return more > 0 ? `${labels.slice(0, MAX_NAMED).join(', ')}, and ${more} more` : labels.join(', ');
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

/** What happened since to the command's version of the file; null if it is unchanged. */
export function sinceThen(
  { current, byHand, deleted }: Readonly<{ current: boolean; byHand: boolean; deleted?: true | undefined }>,
  undone: 'all' | 'part' | 'nothing' = 'nothing',
):
  | 'changed since'
  | 'edited by hand since'
  | 'deleted by hand since'
  | 'undone since'
  | 'partly undone since'
  | null {
  if (undone === 'all') return 'undone since';
  if (undone === 'part') return 'partly undone since';
  if (current) return null;
  if (!byHand) return 'changed since';
  return deleted === true ? 'deleted by hand since' : 'edited by hand since';
}
