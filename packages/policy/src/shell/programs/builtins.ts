import { judgeShellVariable, judgeVariable } from '../assignments.ts';
import { judgeNamesFromInput } from '../named-secrets.ts';
import { hasOption } from '../options.ts';
import { climbsInOwnFolder, isInOwnFolder } from '../own-folders.ts';
import { absolutePath } from '../paths.ts';
import { definePrograms, type Invocation, type Scene, WRITES_UNKNOWN } from '../program.ts';
import { UNKNOWN_VARIABLE } from '../state.ts';
import { after, beginningOf, PLAIN, show, textOf, textsOf, type Value, type Word } from '../word.ts';

/** Builtins of the shell that change what later commands mean. */
export const builtins = definePrograms(
  {
    names: ['cd', 'chdir', 'pushd'],
    options: '-LPe@n',
    operands: 'list',
    judge: changeDirectory,
    examples: {
      safe: ['cd src && ls', 'cd', 'cd -', 'pushd src'],
      dangerous: ['cd .. && touch a', 'cd /tmp; rm x', 'cd src; cd -; touch ../x'],
      warning: ['cd "$d" && touch a'],
    },
  },
  {
    names: ['popd'],
    unknownOptions: 'any',
    judge: ({ words, scene: { state } }) => {
      state.cwd = words.length === 0 ? state.folders.at(-1) : undefined;
      state.folders = state.folders.slice(0, -1);
    },
    examples: { safe: ['popd'] },
  },
  {
    names: ['export', 'declare', 'typeset', 'local', 'readonly'],
    unknownOptions: 'any',
    judge: judgeDeclaration,
    examples: {
      safe: ['export NODE_ENV=test', 'declare -a list'],
      warning: ['export', 'export FOO=1', 'declare -x FOO=1', 'declare -n x=y', 'declare -f'],
      dangerous: [
        "declare -i n='a[$(id)]'",
        'export PATH=.:$PATH',
        'export LD_PRELOAD=./x.so',
        "declare 'a[$(id)]=1'",
        "declare -a 'x=($(rm -rf lib))'",
      ],
    },
  },
  {
    names: ['unset', 'read', 'mapfile', 'readarray', 'getopts', 'let'],
    unknownOptions: 'any',
    judge: judgeAssigning,
    examples: {
      safe: ['unset x', 'read -r line', 'let x=1'],
      warning: ['unset PATH', 'unset -f ls'],
      dangerous: [
        "unset 'a[$(id)]'",
        "read 'a[$(id)]'",
        "mapfile -C 'rm -rf lib' x",
        "mapfile -C'rm -rf lib' x",
        "let 'a[$(id)]'",
      ],
      blocked: ["mapfile -C 'sudo id' -c 1 x"],
    },
  },
);

function changeDirectory({ program, options, scene }: Invocation): void {
  const [target] = options.operands;
  const { state, ground } = scene;
  if (program === 'pushd' && hasOption(options, '-n')) return;
  const { cwd } = state;
  if (target === undefined) {
    state.cwd = program === 'pushd' ? undefined : ground.home;
    state.previous = cwd;
    return;
  }
  const text = textOf(target);
  const isNamed = text !== undefined && text !== '-' && text !== '' && !/^[+-]\d/.test(text);
  const isKnown = isNamed && (state.cwd !== undefined || text.startsWith('/')) && text.length < 4096;
  if (program === 'pushd') state.folders = [...state.folders.slice(-15), state.cwd];
  if (text === '-' && program !== 'pushd') state.cwd = state.previous;
  else state.cwd = isKnown ? absolutePath(text, state.cwd ?? '/') : undefined;
  // Where a link leads, and where its folder is then, its name does not say.
  const isPhysical = hasOption(options, '-P') && scene.walk.links.size > 0;
  const isOwn = [cwd, state.cwd].some((folder) => folder !== undefined && isInOwnFolder(folder, ground));
  if ((isOwn && isPhysical) || climbsInOwnFolder(text ?? '', cwd, ground)) state.cwd = undefined;
  state.previous = cwd;
}

function judgeDeclaration({ program, words, scene, span }: Invocation): void {
  const { report, state } = scene;
  const flags = words
    .filter((word) => /^[-+][a-zA-Z]/.test(beginningOf(word)))
    .map((word) => beginningOf(word));
  const names = words.filter((word) => !/^[-+]/.test(beginningOf(word)));
  const unknown = words.some((word) => textOf(word) === undefined && /^[-+]\w*$/.test(beginningOf(word)));
  if (unknown || flags.some((flag) => /^-[a-zA-Z]*[nf]/.test(flag))) {
    report.raise('warning', 'changes-shell', `${program} changes what names mean`, span);
  }
  if (names.length === 0) report.raise('warning', 'shows-environment', 'prints all variables', span);
  const isInteger = flags.some((flag) => /^-[a-zA-Z]*i/.test(flag));
  const isArray = flags.some((flag) => /^-[a-zA-Z]*[aA]/.test(flag));
  const exports = program === 'export' || flags.some((flag) => /^-[a-zA-Z]*x/.test(flag));
  for (const word of names) {
    const match = /^([A-Za-z_]\w*)(\+?=)?/.exec(beginningOf(word));
    if (match?.[1] === undefined || beginningOf(word).startsWith(`${match[1]}[`)) {
      runSubscript(word, scene);
      continue;
    }
    const value: Value = match[2] === '=' ? after(word, match[0].length) : UNKNOWN_VARIABLE.value;
    if (isInteger) judgeArithmetic(word, match[0].length, scene);
    if (isArray) runElements(value, word, scene);
    if (match[2] === undefined && !exports) {
      if (program !== 'readonly') state.variables.set(match[1], UNKNOWN_VARIABLE);
      continue;
    }
    if (exports || isObeyed(match[1])) judgeVariable(match[1], value, word.span, scene);
    if (match[2] === undefined) continue;
    state.variables.set(match[1], {
      value: flags.length === 0 ? bare(value) : UNKNOWN_VARIABLE.value,
      origin: word.origin,
    });
  }
}

/** `declare -a 'x=($(id))'`: of an array a quoted list is expanded all the same. */
function runElements(value: Value, word: Word, scene: Scene): void {
  const text = value.kind === 'literal' ? value.text : undefined;
  if (text?.startsWith('(') === true)
    scene.walk.runText(`x=${text}`, word.span, { ...scene, state: { ...scene.state } });
}

/** With `-i` a value is arithmetic, whenever it is assigned, and `a[$(id)]` runs `id`. */
function judgeArithmetic(word: Word, length: number, scene: Scene): void {
  const value = after(word, length);
  if (/^-?\d+$/.test(textOf(value) ?? '')) return;
  scene.report.raise('warning', 'changes-shell', 'makes a name evaluate what it is given', word.span);
  if (textOf(value) !== '') runSubscript(value, scene);
}

function isObeyed(name: string): boolean {
  return /^(?:PATH|IFS|PS4|LD_.*|BASH_.*|ENV|PROMPT_COMMAND|CDPATH|GLOBIGNORE|HISTFILE|HISTCONTROL|GIT_.*)$/.test(
    name,
  );
}

function bare(value: Value): Value {
  if (value.kind === 'literal') return { kind: 'literal', text: value.text };
  return UNKNOWN_VARIABLE.value;
}

/** Names are set to what can't be known; a subscript among them is evaluated. */
function judgeAssigning({ program, words, scene, span }: Invocation): void {
  const { report, state } = scene;
  const [callback] = program === 'mapfile' || program === 'readarray' ? callbacksOf(words) : [];
  if (callback !== undefined) {
    report.raise('dangerous', 'callback', `${program} runs a command for every line`, span);
    scene.walk.runText(textOf(callback) ?? '"$unknown"', callback.span, scene);
  }
  for (const word of words) {
    const text = beginningOf(word);
    if (program === 'unset' && text.startsWith('-f'))
      report.raise('warning', 'changes-shell', 'forgets a function', span);
    if (text.startsWith('-')) continue;
    const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
    const isArithmetic = program === 'let';
    if (word.kind === 'dynamic' || word.kind === 'choice') {
      report.raise('warning', 'dynamic-name', `${program} with a name that can't be known`, word.span);
      for (const known of state.variables.keys()) state.variables.set(known, UNKNOWN_VARIABLE);
    }
    if (/[[`$]/.test(textOf(word) ?? '')) runSubscript(word, scene);
    else if (word.kind === 'glob' && !isArithmetic)
      report.raise('warning', 'dynamic-name', `${program} with a pattern`, word.span);
    if (name === undefined) continue;
    if (program === 'unset' && isObeyed(name)) {
      report.raise('warning', 'changes-shell', `forgets ${name}`, word.span);
      report.effect(WRITES_UNKNOWN);
    } else if (program !== 'unset') judgeShellVariable(name, word.span, scene);
    state.variables.set(name, {
      ...UNKNOWN_VARIABLE,
      origin: program === 'unset' ? PLAIN : state.stdin.origin,
    });
  }
  if (program === 'read' || program === 'mapfile' || program === 'readarray') {
    judgeNamesFromInput(scene, span);
    for (const name of ['REPLY', 'MAPFILE'])
      state.variables.set(name, { ...UNKNOWN_VARIABLE, origin: state.stdin.origin });
  }
}

/** The value of `-C`, glued or next: `mapfile -C id`, `mapfile -tC id`, `mapfile -Cid`. */
function callbacksOf(words: readonly Word[]): readonly Word[] {
  return words.flatMap((word, at) => {
    const letters = /^-t*C/.exec(beginningOf(word))?.[0];
    if (letters === undefined) return [];
    return textOf(word) === letters ? [words[at + 1] ?? word] : [after(word, letters.length)];
  });
}

/** `a[$(id)]` runs `id` when a builtin takes it for a name. */
export function runSubscript(word: Word, scene: Scene): void {
  for (const text of textsOf(word) ?? []) {
    if (!/`|\$\(/.test(text)) {
      if (text.includes('['))
        scene.report.raise('warning', 'subscript', `a subscript that is evaluated: ${show(word)}`, word.span);
      continue;
    }
    scene.report.raise('dangerous', 'arithmetic-executes', 'a subscript that runs a command', word.span);
    scene.walk.runText(`: ${text}`, word.span, scene);
  }
  if (textsOf(word) === undefined)
    scene.report.raise('warning', 'dynamic-name', "a name that can't be known", word.span);
}
