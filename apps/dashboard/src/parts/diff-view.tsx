import { useMemo } from 'react';
import { diffRows } from './diff-rows.ts';
import { Shown } from './with-code.tsx';

const SIGNS = { added: '+', removed: '−', same: ' ', gap: '⋯' } as const;
const CLASSES = { added: 'add', removed: 'del', same: '', gap: 'gap' } as const;

export function DiffView({
  before,
  after,
  path,
}: Readonly<{ before: string | null; after: string; path: string }>) {
  const rows = useMemo(() => diffRows(before, after), [before, after]);
  return (
    <div className="diff" tabIndex={0} role="region" aria-label={`Change of ${path}`}>
      {rows.length === 0 && <p className="pad dim">The text stays the same</p>}
      {rows.map(({ kind, line, text }, at) => (
        <div key={at} className={CLASSES[kind]}>
          <span>{line}</span>
          <span>{SIGNS[kind]}</span>
          <span>
            <Shown text={text} />
          </span>
        </div>
      ))}
    </div>
  );
}
