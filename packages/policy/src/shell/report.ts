import {
  type Effect,
  type Level,
  type Reason,
  type Span,
  strictestLevel,
  type Verdict,
} from '@signalbox/core';
import { type Budget, STEPS } from './budget.ts';

/** What is kept of each list; a longer one makes the write set unknown, or repeats itself. */
const MAX_REASONS = 64;
const MAX_EFFECTS = 256;

/** Collects what a walk over a line finds. Levels only ever rise. */
export type Report = {
  raise(level: Level, code: string, text: string, span?: Span): void;
  effect(effect: Effect): void;
  /** The rest of the line is not judged: it is dangerous, and may write anything. */
  giveUp(code: string, text: string): void;
  /** The line needs a shell: a chain, a pipe, a redirect, a substitution. */
  composed(): void;
  /** How many things so far brought bytes in from the network, or decoded them: a pipeline asks twice. */
  readonly sources: {
    network: number;
    decoded: number;
    repositoryCode: number;
    namedSecrets: number;
    environment: number;
    /** Variables set for programs, which may say where they get things from. */
    variables: number;
  };
  verdict(): Verdict;
};

const RANK: Readonly<Record<Level, number>> = { blocked: 0, dangerous: 1, warning: 2, safe: 3 };

export function createReport(budget: Budget): Report {
  const reasons = new Map<string, Reason>();
  const effects = new Map<string, Effect>();
  const sources = {
    network: 0,
    decoded: 0,
    repositoryCode: 0,
    namedSecrets: 0,
    environment: 0,
    variables: 0,
  };
  let level: Level = 'safe';
  let isComposed = false;
  let isCut = false;

  function effect(one: Effect): void {
    budget.spend(STEPS.item);
    if (one.kind === 'network') sources.network += 1;
    if (one.kind === 'repository-code') sources.repositoryCode += 1;
    if (effects.size >= MAX_EFFECTS) isCut = true;
    else effects.set(keyOf(one), one);
  }

  function note(raised: Level, code: string, text: string, span?: Span): void {
    if (code === 'shows-environment') sources.environment += 1;
    level = strictestLevel([level, raised]);
    const key = `${raised} ${code} ${text}`;
    const full = reasons.size >= MAX_REASONS && RANK[raised] > RANK[level];
    if (reasons.has(key) || full) return;
    reasons.set(key, { level: raised, code, text: text.slice(0, 300), ...(span ? { span } : {}) });
  }

  return {
    sources,
    effect,
    raise(raised, code, text, span) {
      budget.spend(STEPS.item);
      note(raised, code, text, span);
    },
    giveUp(code, text) {
      note('dangerous', code, text);
      isCut = true;
    },
    composed() {
      isComposed = true;
    },
    verdict() {
      if (isCut) effects.set('write-unknown', { kind: 'write-unknown' });
      const told = [...reasons.values()].filter((one) => level === 'safe' || one.level !== 'safe');
      const sorted = told.toSorted((a, b) => RANK[a.level] - RANK[b.level]);
      const all = [...effects.values()];
      return {
        level,
        reasons: sorted.length > 0 ? exactOf(sorted.slice(0, MAX_REASONS)) : [NOTHING_FOUND],
        effects: all,
        runsRepositoryCode: all.some((one) => one.kind === 'repository-code'),
        composed: isComposed,
      };
    },
  };
}

const NOTHING_FOUND: Reason = { level: 'safe', code: 'read-only', text: 'read-only or test operation' };

/** `deletes recursively: dist` stands for `deletes recursively` too, and for all of the command that raised both. */
function exactOf(reasons: readonly Reason[]): readonly Reason[] {
  const general = reasons.filter((one) => reasons.some((other) => isMoreExact(other, one)));
  return reasons
    .filter((one) => !general.includes(one))
    .map((one) => {
      const around = general.find((other) => isMoreExact(one, other) && encloses(other.span, one.span));
      return around === undefined ? one : { ...one, span: around.span };
    });
}

function isMoreExact(one: Reason, { level, code, text }: Reason): boolean {
  return one.level === level && one.code === code && one.text.startsWith(`${text}: `);
}

function encloses(outer?: Span, inner?: Span): boolean {
  return outer !== undefined && inner !== undefined && outer.start <= inner.start && inner.end <= outer.end;
}

function keyOf(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return `${effect.kind} ${effect.scope} ${effect.path}`;
    case 'secret':
      return `secret ${effect.path}`;
    case 'network':
      return `network ${effect.host ?? ''} ${effect.source ?? ''}`;
    case 'process':
    case 'privilege':
      return `${effect.kind} ${effect.program}`;
    case 'resource':
      return `resource ${effect.resource} ${effect.access}`;
    case 'write-unknown':
    case 'repository-code':
      return effect.kind;
  }
}
