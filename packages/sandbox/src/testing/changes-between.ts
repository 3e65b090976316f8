import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statAt } from '../overlay/file-stat.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';

/** The changes from a workspace to another tree, by comparing them. Our own state is left out. */
export function changesBetween(
  workspace: string,
  wanted: string,
  { path = '', hidden = false }: Readonly<{ path?: string; hidden?: boolean }> = {},
): WriteSetChange[] {
  const [there, here] = [join(wanted, path), join(workspace, path)];
  const names = new Set([...(hidden ? [] : readdirSync(here)), ...readdirSync(there)]);
  names.delete('.signalbox');
  return [...names].toSorted().flatMap((entry) => {
    const below = path === '' ? entry : `${path}/${entry}`;
    const source = join(wanted, below);
    const [existing, next] = [hidden ? null : statAt(join(workspace, below)), statAt(source)];
    if (next === null) return existing === null ? [] : [{ op: 'remove', path: below, existing } as const];
    const isFolder = existing?.kind === 'directory';
    const gone: WriteSetChange[] =
      existing !== null && isFolder !== (next.kind === 'directory')
        ? [{ op: 'remove', path: below, existing }]
        : [];
    const { mode, mtimeNs, bytes } = next;
    if (next.kind === 'directory') {
      const made: WriteSetChange[] = isFolder ? [] : [{ op: 'make', path: below, mode }];
      return [...gone, ...made, ...changesBetween(workspace, wanted, { path: below, hidden: !isFolder })];
    }
    const kind = next.kind === 'link' ? 'link' : 'file';
    const replaced = gone.length > 0 ? null : existing;
    return [...gone, { op: 'put', path: below, kind, source, mode, mtimeNs, bytes, existing: replaced }];
  });
}
