import { CODE } from './quoted.ts';
import { type TextLayout, visibleParts } from '@signalbox/core/visible-text';
import styles from './with-code.module.css';

/** Text whose quoted parts, and those between backticks, are code. */
export function WithCode({ text, layout = 'row' }: Readonly<{ text: string; layout?: TextLayout }>) {
  const by = text.includes(CODE) ? CODE : '`';
  return text.split(by).map((part, at) =>
    at % 2 === 1 ? (
      <Code key={at} text={part} />
    ) : (
      <span key={at}>
        <Shown text={part} layout={layout} />
      </span>
    ),
  );
}

/** Text of a model or a machine: hidden and reordering characters are shown as boxes. */
export function Code({ text }: Readonly<{ text: string }>) {
  return (
    <code>
      <Shown text={text} />
    </code>
  );
}

/** On one row by default: a newline in a name begins no row of its own. */
export function Shown({ text, layout = 'row' }: Readonly<{ text: string; layout?: TextLayout }>) {
  return visibleParts(text, layout).map(({ text: part, hidden }, at) =>
    hidden ? (
      <span key={at} className={styles['hidden-char']} title="Hidden character, shown as an escape">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
