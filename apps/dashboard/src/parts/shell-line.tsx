import type { Reason } from '@signalbox/core';
import { useState } from 'react';
import { markLine } from './line-marks.ts';
import { hidesSomething } from './visible-parts.ts';
import { Shown } from './with-code.tsx';

const LONG = 2000;

/** The whole line as it would run, each judged word underlined: once for dangerous, twice for a warning. */
export function ShellLine({ line, reasons }: Readonly<{ line: string; reasons: readonly Reason[] }>) {
  const [isWhole, setWhole] = useState(line.length <= LONG);
  const { parts } = markLine(line, reasons);
  return (
    <>
      <pre className="shell" data-cut={!isWhole}>
        {parts.map(({ text, level, numbers }, at) => {
          const shown = <Shown text={text} />;
          const sups = numbers.length === 0 ? null : <sup>{numbers.join(',')}</sup>;
          if (level === null) return <span key={at}>{shown}</span>;
          return (
            <mark key={at} className={level === 'warning' ? 'w' : 'd'}>
              {shown}
              {sups}
            </mark>
          );
        })}
      </pre>
      {!isWhole && (
        <button type="button" className="btn sm" onClick={() => setWhole(true)}>
          Show all {line.length} characters
        </button>
      )}
      {hidesSomething(line) && (
        <p className="stop-text">
          The line holds characters that a page would hide or reorder. They are written out
        </p>
      )}
    </>
  );
}
