import type { Failure, Ruling } from '@signalbox/core';
import { type AllowRule, type AskRule, BUILT_IN_RULES, type DenyRule } from './built-in-rules.ts';

export type Deny = Extract<Ruling, { kind: 'deny' }>;
export type Ask = Extract<Ruling, { kind: 'ask' }>;
export type Allow = Extract<Ruling, { kind: 'allow' }>;

const SOURCE = 'built in';

type Refusal = {
  readonly message: string;
  /** Default `denied`. */
  readonly code?: string;
  readonly suggestion?: string;
  readonly why?: readonly string[];
  /** Default `denied`. */
  readonly outcome?: Deny['outcome'];
};

export function deny(
  rule: DenyRule,
  { message, code = 'denied', suggestion, why, outcome = 'denied' }: Refusal,
): Deny {
  const failure: Failure = {
    code,
    category: 'PolicyBlocked',
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(why === undefined ? {} : { why }),
    visibility: 'visible',
  };
  return { kind: 'deny', rule, source: SOURCE, reason: reasonOf(rule), outcome, failure };
}

export function ask(rule: AskRule, reason?: string): Ask {
  return { kind: 'ask', rule, source: SOURCE, reason: reason ?? reasonOf(rule) };
}

export function allow(rule: AllowRule): Allow {
  return { kind: 'allow', rule, source: SOURCE, reason: reasonOf(rule) };
}

function reasonOf(rule: DenyRule | AskRule | AllowRule): string {
  return BUILT_IN_RULES[rule].says;
}
