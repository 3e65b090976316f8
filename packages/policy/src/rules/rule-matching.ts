import { type Effect, matchesTool, type RuleMatcher, type UserRule } from '@signalbox/core';
import { fixedDirectory } from '../governance/path-gate.ts';
import { fixedBeginning } from '../shell/paths/own-folders.ts';
import { createAllowList, createDenyList } from '../governance/paths/path-list.ts';
import type { PathContext } from '../governance/paths/path-location.ts';
import type { PatternBudget } from './pattern-budget.ts';
import { nameOf, type SimpleCommand } from './simple-command.ts';
import type { Subject } from './subject.ts';
import { withSpellings } from './option-spellings.ts';
import { admitsWords, findsWords, type Hit } from './word-patterns.ts';

export type RuleMatch = {
  /** Whether a rule that holds back matches. An uncertain match is not a `no`. */
  holds(subject: Subject): Hit;
  /** Whether a rule that allows matches all of the call. */
  admits(subject: Subject): boolean;
};

/** @throws {RegexSyntaxError} for a pattern that is not regular, or too large */
export function compileMatch(rule: UserRule, pathContext: PathContext, budget: PatternBudget): RuleMatch {
  const { match } = rule;
  switch (match.kind) {
    case 'program':
      return matchProgram(match);
    case 'line':
      return matchLine(match.line);
    case 'pattern':
      return matchPattern(match.pattern, rule, budget);
    case 'files':
      return matchFiles(match, pathContext);
    case 'effect':
      return match.path === null ? matchEffect(match) : matchEffectOn(match.path, match.effect, pathContext);
  }
}

function matchProgram(match: RuleMatcher & { kind: 'program' }): RuleMatch {
  return {
    holds({ line: text, lacksLine, commands }) {
      if (text === null) return lacksLine ? 'maybe' : 'no';
      const line = commands();
      if (line === null) return 'maybe';
      let strongest: Hit = 'no';
      for (const command of [...line.commands, ...line.inner]) {
        const hit = holdsCommand(match, command);
        if (hit === 'yes') return hit;
        if (hit === 'maybe') strongest = hit;
      }
      return strongest;
    },
    admits({ commands }) {
      const line = commands();
      return line?.isPlain === true && line.commands.every((command) => admitsCommand(match, command));
    },
  };
}

function holdsCommand({ program, args }: RuleMatcher & { kind: 'program' }, command: SimpleCommand): Hit {
  if (command.program === null) return 'maybe';
  return nameOf(command.program) === nameOf(program)
    ? findsWords(args, withSpellings(nameOf(program), command.args))
    : 'no';
}

export function admitsCommand(
  { program, args }: RuleMatcher & { kind: 'program' },
  command: SimpleCommand,
): boolean {
  return command.program === program && admitsWords(args, command.args);
}

function matchLine(line: string): RuleMatch {
  const isIt = (subject: Subject): boolean => subject.line?.trim() === line;
  return {
    holds(subject) {
      if (subject.lacksLine) return 'maybe';
      return isIt(subject) ? 'yes' : 'no';
    },
    admits: isIt,
  };
}

/**
 * Searches the line as written: another spelling of the same line gets past it, so it never allows. A line that is too
 * long to search may match.
 */
function matchPattern(pattern: string, rule: UserRule, budget: PatternBudget): RuleMatch {
  const { finds, mayTake } = budget.compile(pattern, rule);
  return {
    holds({ line, lacksLine, question }) {
      if (line === null) return lacksLine ? 'maybe' : 'no';
      if (!mayTake(line.length, question)) return 'maybe';
      return finds(line) ? 'yes' : 'no';
    },
    admits: () => false,
  };
}

function matchFiles({ tool, path }: RuleMatcher & { kind: 'files' }, pathContext: PathContext): RuleMatch {
  const isTool = ({ question }: Subject): boolean =>
    tool === null || [question.tool.name, ...question.tool.aliases].some((name) => matchesTool(tool, name));
  const denied = path === null ? null : createDenyList([path], pathContext);
  const allowed = path === null ? null : createAllowList([path], pathContext);
  return {
    holds(subject) {
      if (!isTool(subject)) return 'no';
      if (denied === null) return 'yes';
      const { effects } = subject.question.verdict;
      const hits = new Set(effects.map((effect) => touches(effect, denied, { subject, pathContext })));
      if (hits.has('yes')) return 'yes';
      return hits.has('maybe') ? 'maybe' : 'no';
    },
    admits(subject) {
      const { verdict } = subject.question;
      if (
        !isTool(subject) ||
        subject.line !== null ||
        subject.lacksLine ||
        allowed === null ||
        verdict.effects.length === 0
      )
        return false;
      return verdict.effects.every((effect) => {
        if (effect.kind !== 'read' && effect.kind !== 'write' && effect.kind !== 'delete') return false;
        const location = subject.location(effect.path);
        if (location.kind === 'outside' || effect.scope === 'glob') return false;
        return effect.scope === 'file' ? allowed.admits(location) : allowed.admitsAllBelow(location);
      });
    },
  };
}

function touches(
  effect: Effect,
  denied: ReturnType<typeof createDenyList>,
  { subject, pathContext }: { subject: Subject; pathContext: PathContext },
): Hit {
  // The writes of a test or a formatter are known only afterwards.
  if (!('path' in effect)) return effect.kind === 'write-unknown' ? 'maybe' : 'no';
  const location = subject.location(effect.path);
  const scope = effect.kind === 'secret' ? 'file' : effect.scope;
  if (location.kind === 'outside') {
    const hit = denied.findOutside(fixedBeginning(location.absolute), scope);
    return hit === undefined ? 'no' : hit.certain ? 'yes' : 'maybe';
  }
  if (denied.find(location) !== undefined) return 'yes';
  if (scope === 'file') return 'no';
  if (scope === 'tree') {
    const below = denied.findBelow(location);
    if (below === undefined) return 'no';
    return below.certain ? 'yes' : 'maybe';
  }
  if (denied.findMatched(location) !== undefined) return 'yes';
  return denied.findBelow(fixedDirectory(location, pathContext)) === undefined ? 'no' : 'maybe';
}

function matchEffect({ effect: wanted, host }: RuleMatcher & { kind: 'effect' }): RuleMatch {
  return {
    holds({ question: { verdict } }) {
      let strongest: Hit = 'no';
      for (const effect of verdict.effects) {
        if (effect.kind !== wanted) continue;
        if (effect.kind !== 'network' || host === null) return 'yes';
        if (effect.host === undefined) strongest = 'maybe';
        else if (isHost(effect.host.toLowerCase(), host)) return 'yes';
      }
      return strongest;
    },
    admits: () => false,
  };
}

/** Files that may be read and never changed, or the other way round, by any tool or program. */
function matchEffectOn(path: string, wanted: Effect['kind'], pathContext: PathContext): RuleMatch {
  const denied = createDenyList([path], pathContext);
  const isWanted = ({ kind }: Effect): boolean =>
    kind === wanted || (wanted === 'write' && kind === 'delete');
  return {
    holds(subject) {
      const { verdict, reversible = false } = subject.question;
      const hits = new Set(
        verdict.effects.map((effect): Hit => {
          // In a transaction each written file is checked before any of them is committed.
          if (effect.kind === 'write-unknown') return wanted === 'read' || reversible ? 'no' : 'maybe';
          return isWanted(effect) ? touches(effect, denied, { subject, pathContext }) : 'no';
        }),
      );
      if (hits.has('yes')) return 'yes';
      return hits.has('maybe') ? 'maybe' : 'no';
    },
    admits: () => false,
  };
}

function isHost(given: string, host: string): boolean {
  const name = given.replace(/:\d+$/, '').replace(/\.$/, '');
  return name === host || name.endsWith(`.${host}`);
}
