import type { CommandRecord } from '@signalbox/core';
import { duration } from './duration-text.ts';

type Gated = Pick<CommandRecord, 'gates'>;

/** What gates decided about a call: `adversarial gate allowed it: … (1.2 s)`; empty if none judged it. */
export function gatesText({ gates = [] }: Gated): string {
  return gates
    .map(({ gate, decision, shadow, reason, ms, ...more }) => {
      const verb = DECISION_VERBS[decision];
      const how = 'cached' in more && more.cached ? 'same verdict as on an equal call' : duration(ms);
      return `${gate} gate ${shadow && decision !== 'allow' ? `in shadow, ${verb}` : verb}: ${reason} (${how})`;
    })
    .join('; ');
}

const DECISION_VERBS = {
  allow: 'allowed it',
  deny: 'denied it',
  unavailable: 'could not decide',
} as const;

/** Where the content of a call first appeared: `file notes.md: evil/payload.sh`; empty if that is unknown. */
export function claimSourceText({ gates = [] }: Gated): string {
  const source = gates.flatMap((one) => (one.gate === 'adversarial' ? [one.claimSource] : []))[0];
  if (source == null) return '';
  const { kind, name, text } = source;
  return `${kind === 'task' ? 'the task' : kind === 'output' ? `output of ${name}` : `${kind} ${name}`}: ${text}`;
}
