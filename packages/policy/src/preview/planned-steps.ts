import type { CommitStep, PlannedStep, PushStep } from '@signalbox/core';
import { commandsOf } from '../rules/line-commands.ts';
import { nameOf, type SimpleCommand } from '../rules/simple-command.ts';
import { afterCd } from './after-cd.ts';
import { below } from './below.ts';
import { readWords } from './words.ts';

/** The parts of a shell line that can be looked up before it runs, in order. */
export type LinePlan = Readonly<{
  steps: readonly PlannedStep[];
  /** Programs without a step or a deletion; null when the line can't be parsed for certain. */
  others: readonly string[] | null;
}>;

/** More of one line would not be read. */
const MAX_STEPS = 8;

/** Programs that change nothing by themselves. */
const QUIET: ReadonlySet<string> = new Set('cd echo printf true : pwd test [ ls cat head tail wc'.split(' '));
/** The verdict's effects describe what these delete. */
const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink']);
const INTERPRETERS: ReadonlySet<string> = new Set(
  'bash sh dash zsh ksh python python2 python3 node ruby perl php source .'.split(' '),
);

/**
 * Reads the steps of a shell line: commits, pushes and scripts. Words known only at run time leave a step out, and its
 * program is among `others`.
 *
 * @param cwd Folder of the workspace that it starts in, relative; `.` is the workspace.
 */
export function planLine(line: string, cwd: string): LinePlan {
  const read = commandsOf(line);
  if (read === null) return { steps: [], others: null };
  const steps: PlannedStep[] = [];
  const others: string[] = [];
  const staged: string[] = [];
  let folder: string | null = cwd;
  for (const command of read.commands) {
    const name = command.program === null ? '?' : nameOf(command.program);
    if (name === 'cd') {
      folder = afterCd(command, folder);
      continue;
    }
    if (QUIET.has(name) || REMOVERS.has(name)) continue;
    const words = wordsOf(command);
    const found = words === null || folder === null ? null : stepOf(command, name, { words, folder, staged });
    if (found === 'none') continue;
    if (found === null || steps.length >= MAX_STEPS) others.push(name);
    else steps.push(found);
  }
  return { steps, others: [...new Set(others)] };
}

type StepContext = Readonly<{ words: readonly string[]; folder: string; staged: string[] }>;

function stepOf(command: SimpleCommand, name: string, context: StepContext): PlannedStep | 'none' | null {
  if (name === 'git') return gitStep(context);
  if (INTERPRETERS.has(name)) return scriptStep(context);
  const options = FOLDER_OPTIONS.get(name);
  if (options !== undefined) return packageStep(options, context);
  const { program } = command;
  if (program === null || !program.includes('/')) return null;
  const path = below(context.folder, program);
  return path === null || program.startsWith('/') ? null : { kind: 'run-file', path };
}

function gitStep({ words, folder, staged }: StepContext): PlannedStep | 'none' | null {
  const head = gitHead(words, folder);
  if (head === null) return null;
  const { cwd, rest } = head;
  const [verb, ...args] = rest;
  switch (verb) {
    case 'add': {
      const paths = addedPaths(args);
      if (paths === null) return null;
      staged.push(...paths);
      return { kind: 'stage', cwd, paths };
    }
    case 'commit':
      return commitStep(args, cwd, { staged });
    case 'push':
      return pushStep(args, cwd);
    case 'status':
    case 'diff':
    case 'log':
      return 'none';
    case undefined:
    default:
      return null;
  }
}

/** `git -C dir` changes the folder; any other option before the verb could change what is read. */
export function gitHead(
  words: readonly string[],
  folder: string,
): { cwd: string; rest: readonly string[] } | null {
  let cwd = folder;
  let at = 0;
  while (words[at]?.startsWith('-') === true) {
    if (words[at] === '-C') {
      const next = below(cwd, words[at + 1] ?? '');
      if (next === null) return null;
      cwd = next;
      at += 2;
    } else if (words[at] === '--no-pager' || words[at] === '-P') at += 1;
    else return null;
  }
  return { cwd, rest: words.slice(at) };
}

function addedPaths(args: readonly string[]): readonly string[] | null {
  const words = readWords(args, ADD);
  if (words === null || words.has('p', 'patch', 'i', 'interactive', 'e', 'edit')) return null;
  if (words.operands.length > 0) return words.operands;
  return words.has('A', 'all', 'u', 'update') ? [':/'] : null;
}

const ADD = { values: ['--chmod'] };
const COMMIT = {
  values: (
    '-m --message -F --file -C -c --author --date --cleanup -t --template --fixup --squash --trailer ' +
    '--reuse-message --reedit-message --pathspec-from-file'
  ).split(' '),
};

function commitStep(
  args: readonly string[],
  cwd: string,
  { staged }: Readonly<{ staged: readonly string[] }>,
): CommitStep | null {
  const words = readWords(args, COMMIT);
  if (words === null || words.has('pathspec-from-file', 'p', 'patch', 'interactive', 'i', 'include'))
    return null;
  return {
    kind: 'commit',
    cwd,
    isAll: words.has('a', 'all'),
    isAmend: words.has('amend'),
    only: words.operands,
    added: [...staged],
  };
}

/** Git accepts abbreviations of its options (`--forc`), so all that are not listed here are unknown. */
const PUSH = {
  values: '--repo --receive-pack --exec -o --push-option --recurse-submodules'.split(' '),
  flags: (
    '-v --verbose -q --quiet -n --dry-run -f --force -d --delete -u --set-upstream -4 --ipv4 -6 --ipv6 --all --branches ' +
    '--mirror --tags --follow-tags --no-follow-tags --prune --porcelain --progress --no-progress --thin --no-thin ' +
    '--verify --no-verify --atomic --no-atomic --signed --no-signed --force-with-lease --no-force-with-lease ' +
    '--force-if-includes --no-force-if-includes --no-recurse-submodules'
  ).split(' '),
};

export function pushStep(args: readonly string[], cwd: string): PushStep | null {
  const words = readWords(args, PUSH);
  if (words === null) return null;
  const [remote = words.value('--repo') ?? null, ...refs] = words.operands;
  return {
    kind: 'push',
    cwd,
    remote,
    refs,
    isForced: words.has('f', 'force', 'force-with-lease') || words.has('mirror'),
    isDelete: words.has('d', 'delete'),
    also: ['all', 'branches', 'tags', 'mirror', 'follow-tags', 'prune'].filter((name) => words.has(name)),
  };
}

/** `bash x.sh`, `python -u x.py`: the first word that is not an option, unless an option contains the code itself. */
function scriptStep({ words, folder }: StepContext): PlannedStep | null {
  const at = words.findIndex((word) => !word.startsWith('-'));
  const before = at < 0 ? words : words.slice(0, at);
  const [file] = at < 0 ? [] : words.slice(at);
  if (file === undefined || before.some((word) => /^-(?:[A-Za-z]*[ceEp]|m|-eval|-print|-command)/.test(word)))
    return null;
  const path = below(folder, file);
  return path === null ? null : { kind: 'run-file', path };
}

/** `npm --prefix web test`: the script of that folder's manifest. */
function packageStep(options: readonly string[], { words, folder }: StepContext): PlannedStep | null {
  const end = words.indexOf('--');
  const read = readWords(end < 0 ? words : words.slice(0, end), { values: options });
  if (read === null || read.has(...OTHER_PACKAGE)) return null;
  const given = options.map((option) => read.value(option)).filter((value) => value !== undefined);
  const cwd = given.length > 1 ? null : below(folder, given[0] ?? '.');
  const [verb, named] = read.operands;
  const name =
    verb === 'test' || verb === 'start' ? verb : /^run(?:-script)?$/.test(verb ?? '') ? named : undefined;
  return cwd === null || name === undefined ? null : { kind: 'run-package-script', cwd, name };
}

/** Options that run scripts of other packages. */
const OTHER_PACKAGE = 'w workspace workspaces F filter r recursive'.split(' ');

/** For each package manager, the options that select the manifest of another folder. */
const FOLDER_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['--prefix', '-C']],
  ['pnpm', ['--dir', '-C']],
  ['yarn', ['--cwd']],
  ['bun', ['--cwd']],
]);

function wordsOf({ args }: SimpleCommand): readonly string[] | null {
  const known = args.filter((word) => word !== null);
  return known.length === args.length ? known : null;
}
