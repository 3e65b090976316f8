import { useMemo } from 'react';
import { useCommand } from '../api/queries.ts';
import type { CommandView } from '@signalbox/api';
import { patchRows } from '../changes/patch-rows.ts';
import { DiffRows } from '../parts/diff-view.tsx';
import { shortId } from '../parts/short-id.ts';
import type { CommandSummary } from '@signalbox/api';

/**
 * What another command changed in the file since the rejected writer read it; renders nothing if the result does not
 * say.
 */
export function ChangedSince({ summary }: Readonly<{ summary: CommandSummary }>) {
  const { data } = useCommand(summary.id, summary.state);
  const rows = useMemo(() => rowsOf(data), [data]);
  if (rows.length === 0) return null;
  return (
    <>
      <p className="dim">What changed since it read the file:</p>
      <DiffRows
        rows={rows}
        label={`What changed before ${summary.title}, ${shortId(summary.id)}`}
        nothing=""
      />
    </>
  );
}

function rowsOf(view: CommandView | undefined) {
  const outcome = view?.result?.outcome;
  if (outcome?.kind !== 'conflict') return [];
  const { why = [] } = outcome.failure;
  const hunks = why.slice(why.findIndex((line) => line.startsWith('@@')));
  return patchRows(['---', '+++', ...hunks].join('\n'), 'forth').rows;
}
