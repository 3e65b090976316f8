import type { Ruling } from '@signalbox/core';

/** `allow`, `ask` or `deny`; `ask 2 people` if one approval is not enough. */
export function rulingText(ruling: Ruling): string {
  return verbOf(ruling.kind, ruling.kind === 'ask' ? ruling.approvers : 0);
}

export function verbOf(kind: Ruling['kind'], approvers: number): string {
  return approvers > 1 ? `${kind} ${approvers} people` : kind;
}
