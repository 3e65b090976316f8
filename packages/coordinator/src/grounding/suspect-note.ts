import { type Suspect, visibleName } from '@signalbox/core';

/** The line for the model; undefined if there are no suspects, or its answer names the nearest paths already. */
export function suspectNote(suspects: readonly Suspect[] | undefined, answer: string): string | undefined {
  const parts = (suspects ?? []).flatMap((one) => (isAnswered(one, answer) ? [] : [textOf(one)]));
  return parts.length === 0 ? undefined : parts.join('; ');
}

function isAnswered({ nearest }: Suspect, answer: string): boolean {
  return nearest.length > 0 && /did you mean/i.test(answer) && nearest.every((path) => answer.includes(path));
}

function textOf({ kind, text, nearest }: Suspect): string {
  const name = visibleName(text);
  if (kind === 'id') return `${name} is nowhere in this conversation: check it before you rely on it`;
  const guess = nearest.length === 0 ? '' : `: did you mean ${nearest.map(visibleName).join(' or ')}?`;
  return `${name} does not exist${guess}`;
}
