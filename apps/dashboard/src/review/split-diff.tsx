import { useMemo, useSyncExternalStore } from 'react';
import { patchRows } from '../changes/patch-rows.ts';
import type { DiffRow } from '../parts/diff-rows.ts';
import { Shown } from '../parts/with-code.tsx';
import { splitRows } from './split-rows.ts';

/** In a narrower window, two columns of code are unreadable. */
const WIDE = '(min-width: 1200px)';

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => matchMedia(WIDE).matches,
  );
}

/** A hunk in two columns: old and new. */
export function SplitDiff({ patch, head, label }: Readonly<{ patch: string; head: string; label: string }>) {
  const rows = useMemo(() => splitRows(patchRows(patch, 'forth').rows, head), [patch, head]);
  return (
    <div className="diff columns" tabIndex={0} role="region" aria-label={label}>
      {rows.map(({ before, after }, at) => (
        <div key={at}>
          <Side row={before} changed="removed" />
          <Side row={after} changed="added" />
        </div>
      ))}
    </div>
  );
}

function Side({ row, changed }: Readonly<{ row: DiffRow | null; changed: 'removed' | 'added' }>) {
  if (row === null) return <span className="absent" />;
  return (
    <span data-kind={row.kind === 'same' ? 'same' : changed}>
      <span>{row.line}</span>
      <span>
        <Shown text={row.text} layout="lines" />
      </span>
    </span>
  );
}
