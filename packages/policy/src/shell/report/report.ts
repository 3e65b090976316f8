import {
  type Effect,
  type Level,
  type NamedFiles,
  type Reason,
  type Span,
  strictestLevel,
  type Verdict,
} from '@signalbox/core';
import { programFileReasons } from '../../governance/program-file-reasons.ts';
import { type WorkBudget, STEPS } from '../budget.ts';
import { LEAST_EFFECTS } from './least-effects.ts';
import { isFreshFile } from '../paths/path-words.ts';
import { SHARES_NETWORK } from './reason-codes.ts';

/** Bound of each list: more effects make the write set unknown, more reasons are dropped. */
const MAX_REASONS = 64;
const MAX_EFFECTS = 256;

/** Collects the findings of a walk over a line. Levels only ever rise. */
export type Report = {
  raise(level: Level, code: string, options: Readonly<{ text: string; span?: Span | undefined }>): void;
  effect(effect: Effect): void;
  /** Git brings these paths to the content of a commit: whether that is so is checked when its files are committed. */
  restores(paths: readonly string[]): void;
  /** The rest of the line is not judged: it is dangerous, and may write anything. */
  giveUp(code: string, text: string): void;
  /** The line needs a shell: a chain, a pipe, a redirect, a substitution. */
  composed(): void;
  /** How many commands so far brought bytes in from the network, or decoded them: a pipeline reads it twice. */
  readonly sources: {
    network: number;
    decoded: number;
    repositoryCode: number;
    namedSecrets: number;
    environment: number;
    /** Variables set for programs, which may change where they get things from. */
    variables: number;
    /** Unknown programs, except those that get packages. */
    unanalysedPrograms: number;
  };
  /** Only in the report of a program that gets packages: the report for programs that the line has it start. */
  readonly started?: Report;
  verdict(namedFiles?: () => NamedFiles): Verdict;
};

/** The same report for a guess: it raises nothing that a person could not lift. */
export function atMostDangerous(report: Report): Report {
  return {
    ...report,
    raise: (level, code, { text, span }) =>
      report.raise(level === 'blocked' ? 'dangerous' : level, code, { text, span }),
    ...(report.started && { started: atMostDangerous(report.started) }),
  };
}

/** The same report for a program that gets packages: it runs third-party code with that network in any case. */
export function asGetter(report: Report): Report {
  return {
    ...report,
    started: report.started ?? report,
    raise(level, code, { text, span }) {
      const { unanalysedPrograms } = report.sources;
      report.raise(level, code, { text, span });
      report.sources.unanalysedPrograms = unanalysedPrograms;
    },
  };
}

/** Codes of programs that are not analysed: they may contact every host that the line reaches. */
const UNANALYSED: ReadonlySet<string> = new Set([
  'callback',
  'dynamic-program',
  'dynamic-script',
  'foreign-code',
  'loads-code',
  'loads-module',
  'other-shell',
  'piped-into-shell',
  'runs-input',
  'runs-script',
  'starts-program',
  'unknown-command',
  'unknown-script',
]);

/** Every line reaches the services of this machine in the user's settings. */
function isLocal(host = ''): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
}

const RANK: Readonly<Record<Level, number>> = { blocked: 0, dangerous: 1, warning: 2, safe: 3 };

export function createReport(budget: WorkBudget): Report {
  const reasons = new Map<string, Reason>();
  const effects = new Map<string, Effect>();
  const restored = new Set<string>();
  const leastEffects = new Set<Effect>();
  const sources = {
    network: 0,
    decoded: 0,
    repositoryCode: 0,
    namedSecrets: 0,
    environment: 0,
    variables: 0,
    unanalysedPrograms: 0,
  };
  let level: Level = 'safe';
  let isComposed = false;
  let isCut = false;

  function effect(one: Effect): void {
    budget.spend(STEPS.item);
    if ('path' in one && isFreshFile(one.path)) return;
    if (one.kind === 'network' && one.optional === undefined) sources.network += 1;
    if (one.kind === 'repository-code') sources.repositoryCode += 1;
    if (effects.size >= MAX_EFFECTS) isCut = true;
    else effects.set(keyOf(one), one);
  }

  function note(
    raised: Level,
    code: string,
    { text, span }: Readonly<{ text: string; span?: Span | undefined }>,
  ): void {
    if (code === 'shows-environment') sources.environment += 1;
    if (UNANALYSED.has(code)) sources.unanalysedPrograms += 1;
    level = strictestLevel([level, raised]);
    const least = raised === 'safe' ? undefined : LEAST_EFFECTS.get(code);
    if (least !== undefined) leastEffects.add(least);
    const key = `${raised} ${code} ${text}`;
    const full = reasons.size >= MAX_REASONS && RANK[raised] > RANK[level];
    if (reasons.has(key) || full) return;
    reasons.set(key, {
      level: raised,
      code,
      text: text.replaceAll('\0', '…').slice(0, 300),
      ...(span ? { span } : {}),
    });
  }

  /**
   * All programs of a line share its network: one that works without it runs without, one that needs it needs approval.
   */
  function raiseSharedNetwork(): void {
    for (const [key, one] of effects) {
      if (one.kind !== 'network' || isLocal(one.host)) continue;
      if (one.optional === true) effects.delete(key);
      else
        note('warning', SHARES_NETWORK, {
          text: "gives a program that isn't analysed access to the same hosts: run it in a separate line",
        });
    }
  }

  return {
    sources,
    effect,
    raise(raised, code, { text, span }) {
      budget.spend(STEPS.item);
      note(raised, code, { text, span });
    },
    giveUp(code, text) {
      note('dangerous', code, { text });
      isCut = true;
    },
    composed() {
      isComposed = true;
    },
    restores(paths) {
      for (const path of paths) restored.add(path);
    },
    verdict(namedFiles) {
      if (sources.unanalysedPrograms > 0) raiseSharedNetwork();
      const changed = [...effects.values()].filter((one) => !('path' in one && restored.has(one.path)));
      for (const { level: raised, code, text } of programFileReasons(changed, namedFiles))
        note(raised, code, { text });
      for (const least of leastEffects) effects.set(keyOf(least), least);
      if (isCut) effects.set('write-unknown', { kind: 'write-unknown' });
      const reported = [...reasons.values()].filter((one) => level === 'safe' || one.level !== 'safe');
      const sorted = reported.toSorted((a, b) => RANK[a.level] - RANK[b.level]);
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

const NOTHING_FOUND: Reason = { level: 'safe', code: 'read-only', text: 'only reads, or runs tests' };

/** `deletes recursively: dist` includes `deletes recursively`, and covers the whole command that raised both. */
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
      return `network ${effect.host ?? ''} ${effect.source ?? ''} ${effect.optional ?? ''}`;
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
