import { useMemo } from 'react';
import { type DiffRow, diffRows } from './diff-rows.ts';
import { Shown } from './with-code.tsx';
import { visible } from '@signalbox/core/visible-text';

const SIGNS = { added: '+', removed: '−', same: ' ', gap: '⋯' } as const;

export function DiffView({
  before,
  after,
  path,
}: Readonly<{ before: string | null; after: string; path: string }>) {
  const rows = useMemo(() => diffRows(before, after), [before, after]);
  return <DiffRows rows={rows} label={`Change of ${visible(path)}`} nothing="The text stays the same" />;
}

/** @param nothing Text for an empty diff. */
export function DiffRows({
  rows,
  label,
  nothing,
}: Readonly<{ rows: readonly DiffRow[]; label: string; nothing: string }>) {
  return (
    <div className="diff" tabIndex={0} role="region" aria-label={label}>
      {rows.length === 0 && <p className="padded dim">{nothing}</p>}
      {rows.map(({ kind, line, text }, at) => (
        <div key={at} data-kind={kind}>
          <span>{line}</span>
          <span>{SIGNS[kind]}</span>
          <span>
            <Shown text={text} layout="lines" />
          </span>
        </div>
      ))}
    </div>
  );
}
