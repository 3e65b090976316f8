import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { goTo } from './route.ts';
import type { QuickAction } from './quick-actions.tsx';
import type { Find } from './find.ts';

/** Of each kind, the newest. */
const MAX_FINDS = 50;

/** What can be undone, newest first: completed commands that held something to write. */
export function undoFinds(
  newest: readonly CommandSummary[],
  onAction: (action: QuickAction) => void,
): readonly Find[] {
  const undoable = newest.filter(
    ({ tool, outcome, claims }) =>
      tool !== 'undo' && outcome === 'completed' && claims.some(({ access }) => access === 'write'),
  );
  const [last] = undoable;
  const findOf = (summary: CommandSummary, { id, name }: Readonly<{ id: string; name: string }>): Find => ({
    id,
    name,
    about: `${summary.provider} · shows the changes first`,
    run: () => onAction({ kind: 'undo', id: summary.id }),
  });
  return [
    ...(last === undefined ? [] : [findOf(last, { id: 'undo-last', name: `Undo last: ${lineOf(last)}…` })]),
    ...undoable
      .slice(1, MAX_FINDS)
      .map((summary) => findOf(summary, { id: `undo-${summary.id}`, name: `Undo ${lineOf(summary)}…` })),
  ];
}

/** Empty if the browser does not allow writing to the clipboard: plain HTTP from another machine. */
export function copyFinds(newest: readonly CommandSummary[]): readonly Find[] {
  const { clipboard } = navigator as Partial<Pick<Navigator, 'clipboard'>>;
  if (clipboard === undefined) return [];
  return newest.slice(0, MAX_FINDS).map((summary) => ({
    id: `copy-${summary.id}`,
    name: `Copy id of ${lineOf(summary)}`,
    about: summary.id,
    run: () => void clipboard.writeText(summary.id),
  }));
}

/** The history of each claimed file, most recent first. */
export function fileFinds(newest: readonly CommandSummary[]): readonly Find[] {
  const paths = newest.flatMap(({ claims }) =>
    claims.flatMap(({ resource }) => (resource.startsWith('path:') ? [resource.slice('path:'.length)] : [])),
  );
  return [...new Set(paths)].slice(0, MAX_FINDS).map((path) => ({
    id: `file-${path}`,
    name: `History of ${path}`,
    about: 'commands that touched this file',
    run: () => goTo('history', null, new URLSearchParams({ path })),
  }));
}
