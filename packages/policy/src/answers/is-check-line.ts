import { commandsOf } from '../rules/line-commands.ts';
import {
  BUILD_PROGRAMS,
  BUILD_SCRIPT,
  CHECK_PROGRAMS,
  CHECK_SCRIPT,
  SCRIPT_RUNNERS,
} from './answer-programs.ts';
import { lookUpProgram, scriptOf } from './codes-of-program.ts';
import type { CommandWords } from './spellings-of.ts';

/** Nested shells: deeper ones are not read. */
const MAX_DEPTH = 3;

/** Commands beside a check that only shape its output or the shell. */
const BESIDE: ReadonlySet<string> = new Set('cd head tail grep egrep wc sort uniq cut tr cat nl'.split(' '));
const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf', 'true', ':']);
/** A word that may name a file outside of the workspace, such as `/proc/uptime`: no comparison sees that it changed. */
const MAY_BE_OUTSIDE = /^(?:-\w)?[/~]|=[/~]|(?:^|[/=])\.\.(?:\/|$)/;
/** Folders of which later words would be relative; any other absolute one is usually the workspace. */
const CHANGING_FOLDER = /^\/[/.]*(?:proc|sys|dev|run|var)?(?:\/|$)|(?:^|\/)\.\.(?:\/|$)/;

/**
 * Whether a shell line only runs tests, builds and linters, as far as their names tell: with the same files it gives the
 * same answer. False for a line that can't be read for certain, and for one that sets variables, redirects into files
 * or substitutes commands.
 */
export function isCheckLine(line: string): boolean {
  return isCheck(line, 0);
}

function isCheck(line: string, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const read = commandsOf(line);
  if (read === null || !read.isPlain) return false;
  const kinds = new Set(read.commands.map(({ program, args }) => kindOf(program, { args, depth })));
  return kinds.has('check') && !kinds.has('other');
}

function kindOf(
  program: string | null,
  { args, depth }: Readonly<{ args: CommandWords; depth: number }>,
): 'check' | 'beside' | 'other' {
  if (program !== null && PRINTERS.has(program)) return 'beside';
  if (program !== null && BESIDE.has(program)) {
    const outside = program === 'cd' ? CHANGING_FOLDER : MAY_BE_OUTSIDE;
    return args.some((word) => word === null || outside.test(word)) ? 'other' : 'beside';
  }
  const isKnown = lookUpProgram([program, ...args], {
    named: isCheckProgram,
    ofLine: (text) => isCheck(text, depth + 1),
  });
  return isKnown === true ? 'check' : 'other';
}

/** Undefined for a program that is none, which may start one. */
function isCheckProgram(name: string, args: CommandWords): true | undefined {
  const script = scriptOf(name, args);
  const isKnown =
    (name === 'node' && args.includes('--test')) ||
    [name, `${name} ${script}`].some((one) => CHECK_PROGRAMS.has(one) || BUILD_PROGRAMS.has(one)) ||
    (SCRIPT_RUNNERS.has(name) && (CHECK_SCRIPT.test(script) || BUILD_SCRIPT.test(script)));
  return isKnown || undefined;
}
