import { matchesTool, type UserRule } from '@signalbox/core';
import { type Ground, type Place, placeOf } from '../governance/place.ts';
import type { Question } from '../governance/question.ts';
import type { Allow, Ask, Deny } from '../governance/rulings.ts';
import { commandsOf } from './commands-of.ts';
import { admitsCommand, compileMatch, type Match, type Subject } from './rule-matching.ts';
import { type LineCommands, nameOf } from './simple-command.ts';
import type { Hit } from './word-patterns.ts';

/** People's own rules of all layers. */
export type RuleBook = {
  /** The strictest that speaks of the call: a deny before an ask; undefined where none does. */
  holdsBack(question: Question): Deny | Ask | undefined;
  /** The rules that together speak of every command of the call and would let it run. */
  lifts(question: Question): Allow | undefined;
  /** What each rule says of the call by itself, in the order of the files. */
  hits(question: Question): readonly { readonly rule: UserRule; readonly hit: Hit }[];
};

type Compiled = { readonly rule: UserRule; readonly match: Match };

/**
 * @param now epoch ms. Without it a rule that ends is taken to have ended where it allows, and to hold where it
 * holds back.
 */
export function createRuleBook(
  rules: readonly UserRule[],
  ground: Ground,
  now: (() => number) | undefined,
): RuleBook {
  const compiled = rules.map((rule): Compiled => ({ rule, match: compiledOrWary(rule, ground) }));
  const denials = indexed(compiled.filter(({ rule }) => rule.ruling === 'deny'));
  const asks = indexed(compiled.filter(({ rule }) => rule.ruling === 'ask' && rule.approvers === 1));
  const quorums = indexed(compiled.filter(({ rule }) => rule.ruling === 'ask' && rule.approvers > 1));
  const allows = indexed(compiled.filter(({ rule }) => rule.ruling === 'allow' && rule.isTrusted));

  function holdsBack(question: Question): Deny | Ask | undefined {
    if (denials.isEmpty && asks.isEmpty && quorums.isEmpty) return undefined;
    const subject = subjectOf(question, ground);
    let wary: Ask | undefined;
    for (const { rule, match } of denials.of(subject)) {
      const hit = isInForce(rule, question) ? match.holds(subject) : 'no';
      if (hit === 'yes') return denyBy(rule, question);
      if (hit === 'maybe')
        wary ??= askBy(rule, `rule "${rule.id}" may deny it: what it will do is not certain`);
    }
    return firstAsk(quorums, subject) ?? wary ?? firstAsk(asks, subject);
  }

  function firstAsk(index: Index, subject: Subject): Ask | undefined {
    const found = index
      .of(subject)
      .find(({ rule, match }) => isInForce(rule, subject.question) && match.holds(subject) !== 'no');
    return found === undefined ? undefined : askBy(found.rule);
  }

  function lifts(question: Question): Allow | undefined {
    if (allows.isEmpty) return undefined;
    const subject = subjectOf(question, ground);
    const inForce = allows.of(subject).filter(({ rule }) => isInForce(rule, question));
    const whole = inForce.find(({ match }) => match.admits(subject));
    if (whole !== undefined) return allowBy(whole.rule);
    const line = subject.commands();
    if (line === null || !line.isPlain) return undefined;
    const each = line.commands.map((command) =>
      inForce.find(({ rule: { match } }) => match.kind === 'program' && admitsCommand(match, command)),
    );
    const [first] = each;
    return first !== undefined && each.every((one) => one !== undefined) ? allowBy(first.rule) : undefined;
  }

  function isInForce(rule: UserRule, { mode, context, tool }: Question): boolean {
    if (hasEnded(rule)) return false;
    return (
      (rule.modes === null || rule.modes.includes(mode)) &&
      (rule.providers === null || rule.providers.includes(context.provider)) &&
      (rule.phases === null || rule.phases.includes(context.phase)) &&
      (rule.trust === null || rule.trust.includes(context.trust)) &&
      (rule.tools === null || rule.tools.some((pattern) => matchesTool(pattern, tool.name)))
    );
  }

  function hasEnded({ endsAt, ruling }: UserRule): boolean {
    if (endsAt === null) return false;
    return now === undefined ? ruling === 'allow' : endsAt <= now();
  }

  return {
    holdsBack,
    lifts,
    hits(question) {
      const subject = subjectOf(question, ground);
      return compiled.map(({ rule, match }) => {
        if (!rule.isTrusted || !isInForce(rule, question)) return { rule, hit: 'no' };
        if (rule.ruling !== 'allow') return { rule, hit: match.holds(subject) };
        return { rule, hit: match.admits(subject) ? 'yes' : 'no' };
      });
    },
  };
}

/** A rule that can't be compiled is refused when its file loads; one that got here all the same holds back always. */
function compiledOrWary(rule: UserRule, ground: Ground): Match {
  try {
    return compileMatch(rule, ground);
  } catch {
    return { holds: () => 'maybe', admits: () => false };
  }
}

function subjectOf(question: Question, ground: Ground): Subject {
  let commands: LineCommands | null | undefined;
  const line = question.line ?? null;
  const places = new Map<string, Place>();
  return {
    question,
    place(path) {
      const place = places.get(path) ?? placeOf(path, ground);
      places.set(path, place);
      return place;
    },
    line,
    lacksLine: question.line === undefined && question.tool.shellLine !== undefined,
    commands() {
      if (commands === undefined) commands = line === null ? null : commandsOf(line);
      return commands;
    },
  };
}

type Index = { readonly isEmpty: boolean; of(subject: Subject): readonly Compiled[] };

/** Rules by the program they name, so that five hundred of them cost as little as the few that could matter. */
function indexed(rules: readonly Compiled[]): Index {
  const byProgram = new Map<string, Compiled[]>();
  const others: Compiled[] = [];
  for (const compiled of rules) {
    const { match } = compiled.rule;
    if (match.kind !== 'program') others.push(compiled);
    else byProgram.set(nameOf(match.program), [...(byProgram.get(nameOf(match.program)) ?? []), compiled]);
  }
  return {
    isEmpty: rules.length === 0,
    of(subject) {
      if (byProgram.size === 0) return others;
      if (subject.line === null) return subject.lacksLine ? rules : others;
      const line = subject.commands();
      if (line === null) return rules;
      const names = new Set<string>();
      for (const { program } of [...line.commands, ...line.inner]) {
        if (program === null) return rules;
        names.add(nameOf(program));
      }
      return [...[...names].flatMap((name) => byProgram.get(name) ?? []), ...others];
    },
  };
}

function reasonOf({ because, id, ruling }: UserRule): string {
  const verb = ruling === 'deny' ? 'denies' : ruling === 'ask' ? 'asks' : 'allows';
  return because ?? `rule "${id}" ${verb}`;
}

function askBy(rule: UserRule, reason = reasonOf(rule)): Ask {
  return { kind: 'ask', rule: rule.id, source: rule.source, reason, approvers: rule.approvers };
}

function allowBy(rule: UserRule): Allow {
  return { kind: 'allow', rule: rule.id, source: rule.source, reason: reasonOf(rule) };
}

function denyBy(rule: UserRule, { tool }: Question): Deny {
  const reason = reasonOf(rule);
  return {
    kind: 'deny',
    rule: rule.id,
    source: rule.source,
    reason,
    outcome: 'denied',
    failure: {
      code: 'denied',
      category: 'PolicyBlocked',
      message: `Cannot call ${tool.name}: rule "${rule.id}" (${rule.source}) denies it${rule.because === null ? '' : `: ${rule.because}`}`,
      suggestion: 'Do not repeat it in other words; choose another way',
      visibility: 'visible',
    },
  };
}
