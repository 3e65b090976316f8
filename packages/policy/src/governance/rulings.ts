import type { Failure, Ruling } from '@signalbox/core';
import { type AllowRule, type AskRule, BUILT_IN_RULES, type DenyRule } from './built-in-rules.ts';

export type Deny = Extract<Ruling, { kind: 'deny' }>;
export type Ask = Extract<Ruling, { kind: 'ask' }>;
export type Allow = Extract<Ruling, { kind: 'allow' }>;

const SOURCE = 'built in';

type Refusal = {
  /** What can't be done, and why. */
  readonly message: string;
  /** What to do instead. */
  readonly suggestion: string;
  /** Default `denied`. */
  readonly code?: string;
  /** More facts; the rule itself is reported in any case. */
  readonly why?: readonly string[];
  /** Default `denied`. */
  readonly outcome?: Deny['outcome'];
};

export function deny(
  rule: DenyRule,
  { message, code = 'denied', suggestion, why = [], outcome = 'denied' }: Refusal,
): Deny {
  const failure: Failure = {
    code,
    category: 'PolicyBlocked',
    message,
    suggestion,
    why: [`rule: ${rule} (${SOURCE}): ${reasonOf(rule)}`, ...why],
    visibility: 'visible',
  };
  return { kind: 'deny', rule, source: SOURCE, reason: reasonOf(rule), outcome, failure };
}

export function ask(rule: AskRule, reason?: string): Ask {
  return { kind: 'ask', rule, source: SOURCE, reason: reason ?? reasonOf(rule), approvers: 1 };
}

/** For a call that a person denied before in the same session. */
export function refusedBefore(reason: string): Ask {
  return ask('refused-before', reason);
}

/** Of several asks, the one that needs the most approvers; among equal ones the first. */
export function neediest(asks: readonly (Ask | undefined)[]): Ask | undefined {
  return asks.reduce(
    (most, one) => (one !== undefined && one.approvers > (most?.approvers ?? 0) ? one : most),
    undefined,
  );
}

export function allow(rule: AllowRule): Allow {
  return { kind: 'allow', rule, source: SOURCE, reason: reasonOf(rule) };
}

function reasonOf(rule: DenyRule | AskRule | AllowRule): string {
  return BUILT_IN_RULES[rule].says;
}
