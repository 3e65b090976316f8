import { useMemo } from 'react';
import { Shown, WithCode } from '../parts/with-code.tsx';
import { proseParts } from './prose-parts.ts';

/** A model's text. A quotation: nothing of it becomes a link or a style. */
export function ModelText({ text }: Readonly<{ text: string }>) {
  const parts = useMemo(() => proseParts(text), [text]);
  return parts.map(({ kind, text: of }, at) =>
    kind === 'code' ? (
      <pre key={at} tabIndex={0} role="region" aria-label="Code that it wrote">
        <Shown text={of} layout="lines" />
      </pre>
    ) : (
      <p key={at}>
        {isPaired(of) ? <WithCode text={of} layout="lines" /> : <Shown text={of} layout="lines" />}
      </p>
    ),
  );
}

/** Whether all backticks are paired. */
function isPaired(text: string): boolean {
  return text.split('`').length % 2 === 1;
}
