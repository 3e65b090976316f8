import { visible } from '@signalbox/core/visible-text';

const LONGEST = 200;

/** Others' text as a part of one line, for models and for the person at their screen: it forges no line and hides nothing. */
export function oneLine(text: string, longest = LONGEST): string {
  const line = visible(text.slice(0, longest * 2).trim());
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}
