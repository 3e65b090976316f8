import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type AnsiToken, ansiTokens } from './ansi-tokens.ts';
import { Shown } from './with-code.tsx';

type Props = Readonly<{ text: string; label: string; follows: boolean }>;

/** What a command printed. Follows the end until the reader scrolls up. */
export function OutputView({ text, label, follows }: Props) {
  const box = useRef<HTMLPreElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const tokens = useMemo(() => ansiTokens(text).tokens, [text]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follows && isAtEnd) element.scrollTop = element.scrollHeight;
  });
  return (
    <pre
      ref={box}
      className="out"
      tabIndex={0}
      aria-label={label}
      role="region"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
        setAtEnd(scrollTop + clientHeight >= scrollHeight - 8)
      }
    >
      {tokens.map((token, at) => (
        <Token key={at} token={token} />
      ))}
    </pre>
  );
}

function Token({ token }: Readonly<{ token: AnsiToken }>) {
  const { colour, bold, dim, underline, text } = token;
  const names = [
    ...(colour === null ? [] : [`c-${colour}`]),
    ...(bold ? ['c-bold'] : []),
    ...(dim ? ['c-dim'] : []),
    ...(underline ? ['c-under'] : []),
  ];
  return names.length === 0 ? (
    <Shown text={text} />
  ) : (
    <span className={names.join(' ')}>
      <Shown text={text} />
    </span>
  );
}
