import type { Reason } from '@signalbox/core';
import { useState } from 'react';
import { cutLine, lengthOf, type LinePart, markLine } from './line-marks.ts';
import { hidesSomething } from '@signalbox/core/visible-text';
import { Shown } from './with-code.tsx';
import styles from './shell-line.module.css';

const LONG = 2000;
const HEAD = 1200;
const TAIL = 400;

/** The whole line as it would run, each judged word underlined: once for dangerous, twice for a warning. */
export function ShellLine({ line, reasons }: Readonly<{ line: string; reasons: readonly Reason[] }>) {
  const [isWhole, setWhole] = useState(line.length <= LONG);
  const { parts } = markLine(line, reasons);
  const { head, between, tail } = cutLine(parts, { head: isWhole ? line.length : HEAD, tail: TAIL });
  return (
    <>
      <pre className="shell">
        <Parts parts={head} />
        {between.length > 0 && (
          <span className={styles['left-out']}>
            {lengthOf(between)} characters{judgedText(between)} are left out here{' '}
            <button type="button" className="btn sm" onClick={() => setWhole(true)}>
              Show all {line.length}
            </button>
          </span>
        )}
        <Parts parts={tail} />
      </pre>
      {hidesSomething(line) && (
        <p className={styles['hidden-note']}>
          The line holds characters that a page would hide or reorder. They are written out
        </p>
      )}
    </>
  );
}

function judgedText(parts: readonly LinePart[]): string {
  return parts.some(({ level }) => level !== null) ? ', judged ones among them,' : '';
}

function Parts({ parts }: Readonly<{ parts: readonly LinePart[] }>) {
  return parts.map(({ text, level, numbers }, at) => {
    const shown = <Shown text={text} layout="lines" />;
    const sups = numbers.length === 0 ? null : <sup>{numbers.join(',')}</sup>;
    if (level === null) return <span key={at}>{shown}</span>;
    return (
      <mark key={at} data-tone={level === 'warning' ? 'wait' : 'stop'}>
        {shown}
        {sups}
      </mark>
    );
  });
}
