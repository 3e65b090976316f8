import type { Span } from '@signalbox/core';
import type * as ast from 'unbash';
import { visitArithmetic, visitSubscript } from './arithmetic.ts';
import { type Budget, STEPS, stepsToParse } from './budget.ts';
import { wordsOf } from './command-words.ts';
import { hasUnreadOperators, hasUnreadStatements, hasUnreadWords } from './gaps.ts';
import { walkCompound } from './compound.ts';
import { mayHaveStayed } from './may-have-stayed.ts';
import { namesSecret } from './named-secrets.ts';
import { parseLine } from './parse.ts';
import type { Ground } from './paths.ts';
import type { Scene, Walk } from './program.ts';
import { programNamed } from './programs/table.ts';
import { judgeProgramName } from './program-name.ts';
import { applyAssignments } from './prefix-assignments.ts';
import { printsNumber } from './prints-number.ts';
import { applyRedirects } from './redirects.ts';
import type { Report } from './report.ts';
import { runWords } from './run-words.ts';
import { type Flow, forkState, isNumberText, NO_INPUT, type ShellState } from './state.ts';
import type { Visit, Visited } from './visit.ts';
import { mixOrigins, type Origin, PLAIN, type Word } from './word.ts';
import { noteWritten } from './written.ts';

/** Shells inside shells inside shells: deeper ones are not looked into. */
const MAX_DEPTH = 6;
/** Words of one command; beyond, it is not judged and dangerous. */
const MAX_WORDS_OF_COMMAND = 1000;
/** `env nice timeout 5 …`: wrappers within each other. */
const MAX_WRAPPERS = 12;

/** Where a line starts, and how much work it may be. */
export type Start = Readonly<{ ground: Ground; cwd: string; budget: Budget }>;

/** Judges every command of a script, at any depth. */
export function walkLine(line: string, root: ast.ParsedScript, at: Start, report: Report): void {
  const { ground, cwd, budget } = at;
  let printed: string | undefined;
  let wrappers = 0;
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
    arithmetic: (expression, place, scene) => visitArithmetic(expression, place, scene, visit),
    subscript: (index, scene) => visitSubscript(index, scene, visit),
  };

  walkScript(root, {
    report,
    ground,
    state: start,
    source: line,
    walk,
    depth: 0,
    spanOf: ({ pos, end }) => ({ start: pos, end }),
  });

  function runBounded(words: readonly Word[], scene: Scene): void {
    budget.spend(STEPS.command + words.length * STEPS.item);
    if (namesSecret(words.slice(0, MAX_WORDS_OF_COMMAND))) report.sources.namedSecrets += 1;
    if (words.length <= MAX_WORDS_OF_COMMAND) return nested(words, scene);
    report.raise('dangerous', 'too-long', 'a command of more words than can be judged', words[0]?.span);
    report.effect({ kind: 'write-unknown' });
  }

  function spendOnParsing(text: string): void {
    budget.spend(stepsToParse(text, isBroken));
  }

  function runText(text: string, span: { start: number; end: number }, scene: Scene): void {
    if (scene.depth >= MAX_DEPTH) {
      return scene.report.raise('dangerous', 'too-nested', 'shells inside shells inside shells', span);
    }
    spendOnParsing(text);
    const inner = parseLine(text);
    for (const reason of inner.reasons) report.raise(reason.level, reason.code, reason.text, span);
    if (inner.script !== undefined)
      walkScript(inner.script, { ...scene, depth: scene.depth + 1, spanOf: () => span, source: text });
  }

  function walkScript(script: ast.ParsedScript, scene: Scene): void {
    if (script.errors !== undefined && script.errors.length > 0) {
      isBroken = true;
      report.raise(
        'warning',
        'unparseable',
        `can't be parsed: ${script.errors.map(({ message }) => message).join('; ')}`,
        scene.spanOf(script),
      );
      report.effect({ kind: 'write-unknown' });
    }
    budget.spend(script.commands.length * STEPS.item);
    if (hasUnreadStatements(script.commands, script.end, scene.source)) raiseUnread(scene.spanOf(script));
    walkStatements(script.commands, scene);
  }

  function raiseUnread(span: Span): void {
    report.raise('warning', 'unparseable', 'holds text that belongs to no command', span);
    report.effect({ kind: 'write-unknown' });
  }

  function visitScript(script: ast.ParsedScript | undefined, place: ast.SyntaxNode, scene: Scene): Visited {
    if (script === undefined) {
      report.raise('warning', 'unparseable', "a substitution that can't be parsed", scene.spanOf(place));
      return { origin: PLAIN, printed: undefined, isNumber: false };
    }
    budget.spend(STEPS.branch);
    const span = scene.spanOf(place);
    const isInput = place.type === 'ProcessSubstitution' && place.operator === '>';
    const fork = forkState(scene.state);
    const stdin: Flow = isInput ? { kind: 'stream', origin: PLAIN } : fork.stdin;
    const inner = {
      ...scene,
      state: { ...fork, stdin },
      spanOf: script.source === undefined ? scene.spanOf : () => span,
      source: script.source ?? scene.source,
    };
    const visited = watched(() => walkScript(script, inner));
    const isNumber = printsNumber(script, scene.state) || isNumberText(visited.printed ?? ' ?');
    return { ...visited, isNumber };
  }

  /** Runs a part of the walk and says where what it prints comes from. */
  function watched(run: () => void): Omit<Visited, 'isNumber'> {
    const before = { ...report.sources };
    printed = undefined;
    run();
    const origin = originSince(before);
    const text = printed;
    printed = undefined;
    return { origin, printed: text };
  }

  /** Where what was printed since then comes from. */
  function originSince(before: Report['sources']): Origin {
    const { network, decoded, namedSecrets } = report.sources;
    return {
      network: network > before.network,
      decoded: decoded > before.decoded,
      namesSecret: namedSecrets > before.namedSecrets,
    };
  }

  function walkStatements(statements: readonly ast.Statement[], scene: Scene): void {
    if (statements.length > 1) report.composed();
    for (const statement of statements) {
      if (statement.background !== true) {
        const { cwd: before } = scene.state;
        walkNode(statement.command, scene);
        if (mayHaveStayed(statement.command, before, scene)) scene.state.cwd = undefined;
        continue;
      }
      report.composed();
      report.raise('warning', 'background', 'goes on in the background', scene.spanOf(statement));
      walkNode(statement.command, { ...scene, state: forkState(scene.state) });
    }
  }

  function walkNode(node: ast.PipelineNode | ast.AndOr | ast.CompoundList, scene: Scene): void {
    if (node.type === 'Command') return walkCommand(node, scene);
    if (node.type === 'Pipeline') return walkPipeline(node, scene);
    if (node.type === 'CompoundList') return walkStatements(node.commands, scene);
    if (node.type === 'Redirected') return walkRedirected(node, scene);
    budget.spend(STEPS.branch + (node.type === 'AndOr' ? node.commands.length * STEPS.item : 0));
    report.composed();
    if (node.type === 'AndOr' && hasUnreadOperators(node.commands, scene.source))
      raiseUnread(scene.spanOf(node));
    walkCompound(node, scene, { walkNode, walkStatements, visit });
  }

  function walkPipeline(node: ast.Pipeline, scene: Scene): void {
    if (node.commands.length === 0) {
      report.raise('warning', 'unparseable', 'negates or times nothing', scene.spanOf(node));
    }
    if (node.commands.length < 2) {
      const { cwd: before } = scene.state;
      for (const command of node.commands) walkNode(command, scene);
      // After `! cd a` the shell stands there or, where it goes on with `&&`, did not get there.
      if (node.prefixes.some(({ type }) => type === 'Negation') && scene.state.cwd !== before)
        scene.state.cwd = undefined;
      return;
    }
    report.composed();
    budget.spend(node.commands.length * STEPS.item);
    if (hasUnreadOperators(node.commands, scene.source)) raiseUnread(scene.spanOf(node));
    let { stdin } = scene.state;
    for (const command of node.commands) {
      const state = { ...forkState(scene.state), stdin };
      const { origin, printed: text } = watched(() => walkNode(command, { ...scene, state }));
      stdin = {
        kind: 'stream',
        text: command.type === 'Command' ? text : undefined,
        origin: mixOrigins(origin, stdin.origin),
      };
    }
  }

  function walkRedirected(node: ast.Redirected, scene: Scene): void {
    redirected(node.redirects, scene, () => walkNode(node.command, scene));
  }

  function walkCommand(node: ast.Command, scene: Scene): void {
    const span = scene.spanOf(node);
    budget.spend((node.prefix.length + node.suffix.length) * STEPS.item);
    if (hasUnreadWords(node, scene.source)) raiseUnread(span);
    const takeBack = applyAssignments(node, scene, visit);
    const words = wordsOf(node, scene, visit);
    redirected(node.redirects, scene, () => {
      judgeProgramName(node, scene);
      printed = undefined;
      runBounded(words, scene);
    });
    takeBack();
  }

  /** `curl … > a` fills the file with what the network sends, `ls .env > a` with the name of a secret. */
  function redirected(redirects: readonly ast.Redirection[], scene: Scene, run: () => void): void {
    const outer = scene.state.stdin;
    const { stdin, outputs } = applyRedirects(redirects, scene, visit);
    scene.state.stdin = stdin;
    const before = { ...report.sources };
    run();
    for (const path of outputs) noteWritten(path, mixOrigins(stdin.origin, originSince(before)), scene, true);
    scene.state.stdin = outer;
  }

  /** Wrappers around wrappers: deeper ones are not looked into. */
  function nested(words: readonly Word[], scene: Scene): void {
    if (wrappers >= MAX_WRAPPERS) {
      report.effect({ kind: 'write-unknown' });
      return report.raise(
        'dangerous',
        'too-nested',
        'programs that start programs that start programs',
        words[0]?.span,
      );
    }
    wrappers += 1;
    runWords(words, scene);
    wrappers -= 1;
  }
}
