import type { Span } from '@signalbox/core';
import type * as ast from 'unbash';
import { visitArithmetic, visitSubscript } from './arithmetic.ts';
import { judgeShellVariable, judgeVariable } from './assignments.ts';
import { expandToOne, expandWord } from './expand.ts';
import { walkCompound } from './compound.ts';
import { parseLine } from './parse.ts';
import type { Ground } from './paths.ts';
import type { Scene, Walk } from './program.ts';
import { applyRedirects } from './redirects.ts';
import type { Report } from './report.ts';
import { runWords } from './run-words.ts';
import { type Flow, forkState, NO_INPUT, type ShellState, UNKNOWN_VARIABLE } from './state.ts';
import type { Visit, Visited } from './visit.ts';
import { literal, PLAIN, type Value, type Word } from './word.ts';

/** Shells inside shells inside shells: deeper ones are not looked into. */
const MAX_DEPTH = 6;
/** Commands judged in one line, all shells together; every further one makes it dangerous. */
const MAX_COMMANDS = 1000;

/** Judges every command of a script, at any depth. */
export function walkLine(root: ast.ParsedScript, ground: Ground, cwd: string, report: Report): void {
  let printed: string | undefined;
  let commands = 0;
  const start: ShellState = { cwd, variables: new Map(), functions: new Set(), stdin: NO_INPUT };
  const walk: Walk = {
    runWords: (words, scene) => {
      if (isWithinBounds(words[0]?.span)) runWords(words, scene);
    },
    runText,
    printed: (text) => {
      printed = text;
    },
    written: new Map(),
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
    walk,
    depth: 0,
    spanOf: ({ pos, end }) => ({ start: pos, end }),
  });

  function isWithinBounds(span: Span | undefined): boolean {
    commands += 1;
    if (commands <= MAX_COMMANDS) return true;
    report.raise('dangerous', 'too-long', `more than ${MAX_COMMANDS} commands`, span);
    report.effect({ kind: 'write-unknown' });
    return false;
  }

  function runText(text: string, span: { start: number; end: number }, scene: Scene): void {
    if (scene.depth >= MAX_DEPTH) {
      return scene.report.raise('dangerous', 'too-nested', 'shells inside shells inside shells', span);
    }
    const inner = parseLine(text);
    for (const reason of inner.reasons) report.raise(reason.level, reason.code, reason.text, span);
    if (inner.script !== undefined)
      walkScript(inner.script, { ...scene, depth: scene.depth + 1, spanOf: () => span });
  }

  function walkScript(script: ast.ParsedScript, scene: Scene): void {
    if (script.errors !== undefined && script.errors.length > 0) {
      report.raise(
        'warning',
        'unparseable',
        `can't be parsed: ${script.errors[0]?.message ?? ''}`,
        scene.spanOf(script),
      );
      report.effect({ kind: 'write-unknown' });
    }
    walkStatements(script.commands, scene);
  }

  function visitScript(script: ast.ParsedScript | undefined, place: ast.SyntaxNode, scene: Scene): Visited {
    if (script === undefined) {
      report.raise('warning', 'unparseable', "a substitution that can't be parsed", scene.spanOf(place));
      return { origin: PLAIN, printed: undefined };
    }
    const span = scene.spanOf(place);
    const isInput = place.type === 'ProcessSubstitution' && place.operator === '>';
    const fork = forkState(scene.state);
    const stdin: Flow = isInput ? { kind: 'stream', origin: PLAIN } : fork.stdin;
    const inner = {
      ...scene,
      state: { ...fork, stdin },
      spanOf: script.source === undefined ? scene.spanOf : () => span,
    };
    return watched(() => walkScript(script, inner));
  }

  /** Runs a part of the walk and says where what it prints comes from. */
  function watched(run: () => void): Visited {
    const { network, decoded } = report.sources;
    printed = undefined;
    run();
    const origin = { network: report.sources.network > network, decoded: report.sources.decoded > decoded };
    const text = printed;
    printed = undefined;
    return { origin, printed: text };
  }

  function walkStatements(statements: readonly ast.Statement[], scene: Scene): void {
    if (statements.length > 1) report.composed();
    for (const statement of statements) {
      if (statement.background !== true) {
        walkNode(statement.command, scene);
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
    report.composed();
    walkCompound(node, scene, { walkNode, walkStatements, visit });
  }

  function walkPipeline(node: ast.Pipeline, scene: Scene): void {
    if (node.commands.length === 1) {
      for (const command of node.commands) walkNode(command, scene);
      return;
    }
    report.composed();
    let { stdin } = scene.state;
    for (const command of node.commands) {
      const state = { ...forkState(scene.state), stdin };
      const { origin, printed: text } = watched(() => walkNode(command, { ...scene, state }));
      stdin = {
        kind: 'stream',
        text: command.type === 'Command' ? text : undefined,
        origin: {
          network: origin.network || stdin.origin.network,
          decoded: origin.decoded || stdin.origin.decoded,
        },
      };
    }
  }

  function walkRedirected(node: ast.Redirected, scene: Scene): void {
    const outer = scene.state.stdin;
    scene.state.stdin = applyRedirects(node.redirects, scene, visit);
    walkNode(node.command, scene);
    scene.state.stdin = outer;
  }

  function walkCommand(node: ast.Command, scene: Scene): void {
    if (!isWithinBounds(scene.spanOf(node))) return;
    const prefix: [ast.Assignment, Word | undefined][] = [];
    for (const one of node.prefix) {
      if (one.type === 'Assignment') prefix.push([one, assignedValue(one, scene)]);
    }
    const words = wordsOf(node, scene);
    const stdin = applyRedirects(node.redirects, scene, visit);
    if (words.length === 0) return assign(prefix, scene);
    for (const [one, value] of prefix)
      judgeVariable(one.name, value ?? UNKNOWN_VARIABLE.value, scene.spanOf(one), scene);
    judgeName(node, words, scene);
    const outer = scene.state.stdin;
    scene.state.stdin = stdin;
    printed = undefined;
    runWords(words, scene);
    scene.state.stdin = outer;
  }

  function wordsOf(node: ast.Command, scene: Scene): readonly Word[] {
    const words = node.name === undefined ? [] : [...expandWord(node.name, scene, visit)];
    for (const arg of node.args) {
      if (arg.type === 'Word') words.push(...expandWord(arg, scene, visit));
      else words.push(assignmentWord(arg, scene));
    }
    return words;
  }

  /** `export a=b`: to the command it is one word. */
  function assignmentWord(arg: ast.Assignment, scene: Scene): Word {
    const span = scene.spanOf(arg);
    const value = assignedValue(arg, scene);
    if (arg.index !== undefined || arg.append === true)
      return { ...literal('', span), kind: 'dynamic', beginning: `${arg.name}=`, splits: false };
    if (value?.kind === 'literal') return literal(`${arg.name}=${value.text}`, span);
    return {
      kind: 'dynamic',
      beginning: `${arg.name}=`,
      splits: false,
      span,
      origin: value?.origin ?? PLAIN,
    };
  }

  function assignedValue(one: ast.Assignment, scene: Scene): Word | undefined {
    if (one.index !== undefined) visit.subscript(one.index, scene);
    if (one.value.type === 'Word') return expandToOne(one.value, scene, visit);
    for (const element of one.value.elements) expandWord(element, scene, visit);
    return undefined;
  }

  function assign(prefix: readonly [ast.Assignment, Word | undefined][], scene: Scene): void {
    for (const [one, value] of prefix) {
      judgeShellVariable(one.name, scene.spanOf(one), scene);
      const known = value !== undefined && one.append !== true && one.index === undefined;
      const kept: Value = known ? withoutPlace(value) : UNKNOWN_VARIABLE.value;
      scene.state.variables.set(one.name, { value: kept, origin: value?.origin ?? PLAIN });
    }
  }

  function judgeName(node: ast.Command, words: readonly Word[], scene: Scene): void {
    const { name } = node;
    if (name === undefined) return;
    const bare = name.parts === undefined && name.text === name.value;
    if (bare && RESERVED.test(name.value)) {
      report.raise(
        'warning',
        'reserved-word',
        `a reserved word in the place of a program: ${name.value}`,
        scene.spanOf(name),
      );
    }
    if (
      name.parts?.some(
        (part) =>
          !STATIC.has(part.type) &&
          !(part.type === 'DoubleQuoted' && part.parts.every((child) => child.type === 'Literal')),
      ) === true
    ) {
      report.raise(
        'warning',
        'variable-program',
        'a program named by a variable or a pattern',
        words[0]?.span,
      );
    }
  }
}

const STATIC: ReadonlySet<string> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted', 'BraceExpansion']);
const RESERVED =
  /^(?:then|elif|else|fi|do|done|esac|in|\}|!|\]\]|if|while|until|for|case|select|function|coproc|time|\{|\[\[)$/;

function withoutPlace(word: Word): Value {
  const { span: _span, origin: _origin, ...value } = word;
  return value;
}
