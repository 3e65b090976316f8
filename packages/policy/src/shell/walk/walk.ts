import type { Span } from '@signalbox/core';
import type * as ast from 'unbash';
import { visitArithmetic, visitSubscript } from '../expansion/arithmetic.ts';
import { type WorkBudget, STEPS, stepsToParse } from '../budget.ts';
import { wordsOf } from '../expansion/command-words.ts';
import { hasUnreadOperators, hasUnreadStatements, hasUnreadWords } from '../syntax/unread-text.ts';
import { walkCompound } from './compound.ts';
import { mayHaveStayed } from './may-have-stayed.ts';
import { parseLine } from '../syntax/parse.ts';
import type { LineContext } from '../paths/paths.ts';
import type { EvaluationContext, Walk } from '../program.ts';
import { programNamed } from '../programs/table.ts';
import { judgeProgramName } from './program-name.ts';
import { applyAssignments } from '../expansion/prefix-assignments.ts';
import { printsNumber } from '../expansion/prints-number.ts';
import { applyRedirects } from './redirects.ts';
import type { Report } from '../report/report.ts';
import { createBoundedRunner } from './run-bounded.ts';
import { type Flow, forkState, isNumberText, NO_INPUT, type ShellState } from '../state.ts';
import type { Visit, Visited } from '../visit.ts';
import { mixOrigins, type Origin, PLAIN } from '../word.ts';
import { noteWritten } from '../paths/written.ts';

/** Nested shells: deeper ones are not analysed. */
const MAX_DEPTH = 6;

/** Start directory of a line, and its work budget. */
export type Start = Readonly<{ lineContext: LineContext; cwd: string; budget: WorkBudget }>;

/** Judges every command of a script, at any depth. */
export function walkLine(
  line: string,
  root: ast.ParsedScript,
  { at, report }: Readonly<{ at: Start; report: Report }>,
): void {
  const { lineContext, cwd, budget } = at;
  let printed: string | undefined;
  let isBroken = false;
  const start: ShellState = {
    cwd,
    variables: new Map(),
    isOpen: false,
    integers: new Set(),
    arrays: new Set(),
    functions: new Set(),
    folders: [],
    stdin: NO_INPUT,
  };
  const runBounded = createBoundedRunner(report, budget);
  const walk: Walk = {
    runWords: runBounded,
    runText,
    knows: (program) => programNamed(program) !== undefined,
    printed: (text) => {
      printed = text;
    },
    written: new Map(),
    links: new Map(),
    spend: budget.spend,
    spendOnParsing,
  };
  const visit: Visit = {
    script: visitScript,
    arithmetic: (expression, place, context) => visitArithmetic(expression, place, { context, visit }),
    subscript: (index, context) => visitSubscript(index, context, visit),
  };

  walkScript(root, {
    report,
    lineContext,
    state: start,
    source: line,
    walk,
    depth: 0,
    spanOf: ({ pos, end }) => ({ start: pos, end }),
  });

  function spendOnParsing(text: string): void {
    budget.spend(stepsToParse(text, isBroken));
  }

  function runText(text: string, span: { start: number; end: number }, context: EvaluationContext): void {
    if (context.depth >= MAX_DEPTH) {
      return context.report.raise('dangerous', 'too-nested', {
        text: 'nests too many shells',
        span,
      });
    }
    spendOnParsing(text);
    const inner = parseLine(text);
    for (const reason of inner.reasons) report.raise(reason.level, reason.code, { text: reason.text, span });
    if (inner.script !== undefined)
      walkScript(inner.script, { ...context, depth: context.depth + 1, spanOf: () => span, source: text });
  }

  function walkScript(script: ast.ParsedScript, context: EvaluationContext): void {
    if (script.errors !== undefined && script.errors.length > 0) {
      isBroken = true;
      report.raise('warning', 'unparseable', {
        text: `can't be parsed: ${script.errors.map(({ message }) => message).join('; ')}`,
        span: context.spanOf(script),
      });
      report.effect({ kind: 'write-unknown' });
    }
    budget.spend(script.commands.length * STEPS.item);
    if (hasUnreadStatements(script, context.source)) raiseUnread(context.spanOf(script));
    walkStatements(script.commands, context);
  }

  function raiseUnread(span: Span): void {
    report.raise('warning', 'unparseable', { text: 'contains text that belongs to no command', span });
    report.effect({ kind: 'write-unknown' });
  }

  function visitScript(
    script: ast.ParsedScript | undefined,
    place: ast.SyntaxNode,
    context: EvaluationContext,
  ): Visited {
    if (script === undefined) {
      report.raise('warning', 'unparseable', {
        text: "contains a substitution that can't be parsed",
        span: context.spanOf(place),
      });
      return { origin: PLAIN, printed: undefined, isNumber: false };
    }
    budget.spend(STEPS.branch);
    const span = context.spanOf(place);
    const isInput = place.type === 'ProcessSubstitution' && place.operator === '>';
    const fork = forkState(context.state);
    const stdin: Flow = isInput ? { kind: 'stream', origin: PLAIN } : fork.stdin;
    const inner = {
      ...context,
      state: { ...fork, stdin },
      spanOf: script.source === undefined ? context.spanOf : () => span,
      source: script.source ?? context.source,
    };
    const visited = watched(() => walkScript(script, inner));
    const isNumber = printsNumber(script, context.state) || isNumberText(visited.printed ?? ' ?');
    return { ...visited, isNumber };
  }

  /** Runs a part of the walk and returns the origin of its output. */
  function watched(run: () => void): Omit<Visited, 'isNumber'> {
    const before = { ...report.sources };
    printed = undefined;
    run();
    const origin = originSince(before);
    const text = printed;
    printed = undefined;
    return { origin, printed: text };
  }

  /** The origin of the output since then. */
  function originSince(before: Report['sources']): Origin {
    const { network, decoded, namedSecrets } = report.sources;
    return {
      network: network > before.network,
      decoded: decoded > before.decoded,
      namesSecret: namedSecrets > before.namedSecrets,
    };
  }

  function walkStatements(statements: readonly ast.Statement[], context: EvaluationContext): void {
    if (statements.length > 1) report.composed();
    for (const statement of statements) {
      if (statement.background !== true) {
        const { cwd: before } = context.state;
        walkNode(statement.command, context);
        if (mayHaveStayed(statement.command, before, context)) context.state.cwd = undefined;
        continue;
      }
      report.composed();
      report.raise('warning', 'background', {
        text: 'continues in the background',
        span: context.spanOf(statement),
      });
      walkNode(statement.command, { ...context, state: forkState(context.state) });
    }
  }

  function walkNode(node: ast.PipelineNode | ast.AndOr | ast.CompoundList, context: EvaluationContext): void {
    if (node.type === 'Command') return walkCommand(node, context);
    if (node.type === 'Pipeline') return walkPipeline(node, context);
    if (node.type === 'CompoundList') return walkStatements(node.commands, context);
    if (node.type === 'Redirected') return walkRedirected(node, context);
    budget.spend(STEPS.branch + (node.type === 'AndOr' ? node.commands.length * STEPS.item : 0));
    report.composed();
    if (node.type === 'AndOr' && hasUnreadOperators(node.commands, context.source))
      raiseUnread(context.spanOf(node));
    walkCompound(node, context, { walkNode, walkStatements, visit });
  }

  function walkPipeline(node: ast.Pipeline, context: EvaluationContext): void {
    if (node.commands.length === 0) {
      report.raise('warning', 'unparseable', {
        text: 'contains a ! or time without a command',
        span: context.spanOf(node),
      });
    }
    if (node.commands.length < 2) {
      const { cwd: before } = context.state;
      for (const command of node.commands) walkNode(command, context);
      // After `! cd a` the shell is in that folder or, if it continues with `&&`, did not get there.
      if (node.prefixes.some(({ type }) => type === 'Negation') && context.state.cwd !== before)
        context.state.cwd = undefined;
      return;
    }
    report.composed();
    budget.spend(node.commands.length * STEPS.item);
    if (hasUnreadOperators(node.commands, context.source)) raiseUnread(context.spanOf(node));
    let { stdin } = context.state;
    for (const command of node.commands) {
      const state = { ...forkState(context.state), stdin };
      const { origin, printed: text } = watched(() => walkNode(command, { ...context, state }));
      stdin = {
        kind: 'stream',
        text: command.type === 'Command' ? text : undefined,
        origin: mixOrigins(origin, stdin.origin),
      };
    }
  }

  function walkRedirected(node: ast.Redirected, context: EvaluationContext): void {
    redirected(node.redirects, context, () => walkNode(node.command, context));
  }

  function walkCommand(node: ast.Command, context: EvaluationContext): void {
    const span = context.spanOf(node);
    budget.spend((node.prefix.length + node.suffix.length) * STEPS.item);
    if (hasUnreadWords(node, context.source)) raiseUnread(span);
    const takeBack = applyAssignments(node, context, visit);
    const words = wordsOf(node, context, visit);
    redirected(node.redirects, context, () => {
      judgeProgramName(node, context);
      printed = undefined;
      runBounded(words, context);
    });
    takeBack();
  }

  /** `curl … > a` fills the file with data from the network, `ls .env > a` with the name of a secret. */
  function redirected(
    redirects: readonly ast.Redirection[],
    context: EvaluationContext,
    run: () => void,
  ): void {
    const outer = context.state.stdin;
    const { stdin, outputs } = applyRedirects(redirects, context, visit);
    context.state.stdin = stdin;
    const before = { ...report.sources };
    run();
    for (const path of outputs)
      noteWritten(path, mixOrigins(stdin.origin, originSince(before)), {
        evaluationContext: context,
        isFile: true,
      });
    context.state.stdin = outer;
  }
}
