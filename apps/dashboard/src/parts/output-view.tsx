import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import type { AnsiToken } from './ansi-tokens.ts';
import { drawnTokens } from './drawn-tokens.ts';
import { markedParts } from './marked-parts.ts';
import { Shown } from './with-code.tsx';
import styles from './output-view.module.css';

type Props = Readonly<{
  text: string;
  label: string;
  follows: boolean;
  /** Marked in the text; the first match is scrolled into view. */
  wanted?: string;
}>;

/** A command's output. Follows the end until the reader scrolls up; `o` moves the focus here. */
export function OutputView({ text, label, follows, wanted = '' }: Props) {
  const box = useRef<HTMLPreElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const tokens = useMemo(() => drawnTokens(text, follows), [text, follows]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follows && isAtEnd) element.scrollTop = element.scrollHeight;
  });
  useLayoutEffect(() => {
    const mark = wanted === '' || text === '' ? null : box.current?.querySelector<HTMLElement>('mark');
    if (!mark || box.current === null) return;
    box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3;
    box.current.scrollIntoView({ block: 'nearest' });
  }, [text, wanted]);
  useKeys({ o: () => box.current?.focus() });
  return (
    <pre
      ref={box}
      className="output"
      tabIndex={0}
      aria-label={label}
      role="region"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
        setAtEnd(scrollTop + clientHeight >= scrollHeight - 8)
      }
    >
      {tokens.map((token, at) => (
        <Token key={at} token={token} wanted={wanted} />
      ))}
    </pre>
  );
}

function Token({ token, wanted }: Readonly<{ token: AnsiToken; wanted: string }>) {
  const { colour, bold, dim, underline, text } = token;
  const names = [
    ...(colour === null ? [] : [styles['text']]),
    ...(bold ? [styles['bold']] : []),
    ...(dim ? [styles['dim']] : []),
    ...(underline ? [styles['underlined']] : []),
  ];
  const shown = markedParts(text, wanted).map((part, at) =>
    part.isMarked ? (
      <mark key={at} className="hit">
        <Shown text={part.text} layout="output" />
      </mark>
    ) : (
      <Shown key={at} text={part.text} layout="output" />
    ),
  );
  return names.length === 0 ? (
    shown
  ) : (
    <span className={names.join(' ')} data-colour={colour ?? undefined}>
      {shown}
    </span>
  );
}
