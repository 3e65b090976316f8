import { visible } from '@signalbox/core/visible-text';

const LONGEST = 200;

/** Untrusted text as part of one line, for models and for people: it can't forge a line or hide anything. */
export function oneLine(text: string, longest = LONGEST): string {
  const line = visible(text.slice(0, longest * 2).trim());
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}
