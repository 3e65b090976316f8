import { judgeVariable } from '../../expansion/assignments.ts';
import {
  assignTo,
  becomesNumber,
  evaluate,
  evaluateList,
  evaluateName,
  mayBeArray,
} from '../../expansion/evaluate.ts';
import { judgeNamesFromInput } from '../../paths/named-secrets.ts';
import { hasOption } from '../../options.ts';
import { climbsInOwnFolder, isInOwnFolder } from '../../paths/own-folders.ts';
import { loadsOwnCode, noteOwnCode } from '../../expansion/own-code.ts';
import { absolutePath } from '../../paths/paths.ts';
import { definePrograms, type Invocation, type EvaluationContext } from '../../program.ts';
import {
  addArrays,
  forgetVariables,
  isNumberValue,
  NUMBER_VARIABLE,
  setVariable,
  UNKNOWN_VARIABLE,
} from '../../state.ts';
import { after, beginningOf, PLAIN, textOf, type Value, type Word } from '../../word.ts';

/** Builtins of the shell that change what later commands mean. */
export const builtins = definePrograms(
  {
    names: ['cd', 'chdir', 'pushd'],
    options: '-LPe@n',
    anyOption: 'harmless',
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
    anyOption: 'harmless',
    judge: ({ words, context: { state } }) => {
      state.cwd = words.length === 0 ? state.folders.at(-1) : undefined;
      state.folders = state.folders.slice(0, -1);
    },
    examples: { safe: ['popd'] },
  },
  {
    names: ['export', 'declare', 'typeset', 'local', 'readonly'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: judgeDeclaration,
    examples: {
      safe: [
        'export NODE_ENV=test',
        'declare -a list',
        'declare -a a=("$x" y)',
        'readonly d="$(cat f)"',
        'declare -A m=([k]=v)',
      ],
      warning: [
        'export',
        'export FOO=1',
        'declare -x FOO=1',
        'declare -n x=y',
        'declare -f',
        'declare -a a="$(cat f)"',
        'a=(); declare a="$(cat f)"',
        'declare -A m; k=$(cat f); declare m["$k"]=1',
      ],
      dangerous: [
        "declare -i n='a[$(id)]'",
        'export PATH=.:$PATH',
        'export LD_PRELOAD=./x.so',
        "declare 'a[$(id)]=1'",
        "declare -a 'x=($(rm -rf lib))'",
        "a=(); declare a='($(rm -rf lib))'",
        "a[0]=1; readonly a+='($(rm -rf lib))'",
        "declare DIRSTACK='($(rm -rf lib))'",
      ],
    },
  },
  {
    names: ['let'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: judgeLet,
    examples: {
      safe: ['let x=1', 'i=0; let i++'],
      warning: ['read -r n; let n++'],
      dangerous: ["let 'a[$(id)]'"],
    },
  },
  {
    names: ['unset', 'read', 'mapfile', 'readarray', 'getopts'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: judgeAssigning,
    examples: {
      safe: ['unset x', 'read -r line'],
      warning: ['unset PATH', 'unset -f ls'],
      dangerous: [
        "unset 'a[$(id)]'",
        "read 'a[$(id)]'",
        "mapfile -C 'rm -rf lib' x",
        "mapfile -C'rm -rf lib' x",
      ],
      blocked: ["mapfile -C 'sudo id' -c 1 x"],
    },
  },
);

function changeDirectory({ program, options, context }: Invocation): void {
  const [target] = options.operands;
  const { state, lineContext } = context;
  if (program === 'pushd' && hasOption(options, '-n')) return;
  const { cwd } = state;
  if (target === undefined) {
    state.cwd = program === 'pushd' ? undefined : lineContext.home;
    state.previous = cwd;
    return;
  }
  const text = textOf(target);
  const isNamed = text !== undefined && text !== '-' && text !== '' && !/^[+-]\d/.test(text);
  const isKnown = isNamed && (state.cwd !== undefined || text.startsWith('/')) && text.length < 4096;
  if (program === 'pushd') state.folders = [...state.folders.slice(-15), state.cwd];
  if (text === '-' && program !== 'pushd') state.cwd = state.previous;
  else state.cwd = isKnown ? absolutePath(text, state.cwd ?? '/') : undefined;
  // The name of a link does not tell its target, nor the folder of that.
  const isPhysical = hasOption(options, '-P') && context.walk.links.size > 0;
  const isOwn = [cwd, state.cwd].some((folder) => folder !== undefined && isInOwnFolder(folder, lineContext));
  if ((isOwn && isPhysical) || climbsInOwnFolder(text ?? '', cwd, lineContext)) state.cwd = undefined;
  state.previous = cwd;
}

function judgeDeclaration({ program, words, context, span }: Invocation): void {
  const { report, state } = context;
  const flags = words
    .filter((word) => /^[-+][a-zA-Z]/.test(beginningOf(word)))
    .map((word) => beginningOf(word));
  const names = words.filter((word) => !/^[-+]/.test(beginningOf(word)));
  const unknown = words.some((word) => textOf(word) === undefined && /^[-+]\w*$/.test(beginningOf(word)));
  const has = (letter: string): boolean =>
    flags.some((flag) => flag.startsWith('-') && flag.includes(letter));
  const isReference = has('n') && program !== 'export' && program !== 'readonly';
  if (unknown || isReference || has('f'))
    report.raise('warning', 'changes-names', { text: `${program} changes what names mean`, span });
  if (names.length === 0)
    report.raise('warning', 'shows-environment', { text: 'prints all variables', span });
  const exports = program === 'export' || has('x');
  for (const word of names) {
    const match = /^([A-Za-z_]\w*)(\+?=)?/.exec(beginningOf(word));
    if (match?.[1] === undefined || /^\w+\[/.test(beginningOf(word))) {
      evaluateName(word, context);
      if (match?.[1] === undefined) forgetVariables(state);
      else assignTo(match[1], UNKNOWN_VARIABLE, { span: word.span, context });
      continue;
    }
    const [whole, name, sign] = match;
    const given = sign === undefined ? undefined : after(word, whole.length);
    const value: Value = sign === '=' && given !== undefined ? given : UNKNOWN_VARIABLE.value;
    if (has('i')) makeInteger(name, given, { word, context });
    const isDeclared = has('a') || has('A');
    // A name that is new in a function has no elements yet.
    const isNew = program === 'local' && !state.arrays.has(name);
    if (given !== undefined)
      evaluateList(given, word.span, { context, isArray: isDeclared || (!isNew && mayBeArray(name, state)) });
    if (isDeclared) addArrays(state, [name]);
    // The value of a reference is used as a name later.
    if (isReference && given !== undefined) evaluateName(given, context);
    if (exports || isObeyed(name)) judgeVariable(name, value, { span: word.span, context });
    if (exports && loadsOwnCode(name, value, context)) noteOwnCode(context);
    if (sign === undefined) {
      if (program === 'local' || has('A')) setVariable(state, name, { ...UNKNOWN_VARIABLE, isMap: has('A') });
      continue;
    }
    const isPlain = flags.every((flag) => /^-[xgr]+$/.test(flag));
    const isNumber = isNumberValue(value);
    const kept = isPlain ? bare(value) : (isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE).value;
    const set = { value: isReference ? UNKNOWN_VARIABLE.value : kept, origin: word.origin, isMap: has('A') };
    assignTo(name, set, { span: word.span, context });
  }
}

/** With `-i` a value is arithmetic, at every assignment. */
function makeInteger(
  name: string,
  value: Word | undefined,
  { word, context }: Readonly<{ word: Word; context: EvaluationContext }>,
): void {
  const { state, report } = context;
  state.integers = new Set([...state.integers, name]);
  if (value !== undefined) evaluate(value, value.span, context);
  // Code that was judged before it was known to be one may run again.
  if (state.functions.size > 0 || state.isOpen)
    report.raise('warning', 'changes-names', {
      text: 'makes a name evaluate what it is given',
      span: word.span,
    });
}

function isObeyed(name: string): boolean {
  return /^(?:PATH|IFS|PS4|LD_.*|BASH_.*|ENV|PROMPT_COMMAND|CDPATH|GLOBIGNORE|HISTFILE|HISTCONTROL|GIT_.*)$/.test(
    name,
  );
}

function bare(value: Value): Value {
  if (value.kind === 'literal') return { kind: 'literal', text: value.text };
  return isNumberValue(value) ? NUMBER_VARIABLE.value : UNKNOWN_VARIABLE.value;
}

/** Names are set to unknown values; a subscript among them is evaluated. */
function judgeAssigning({ program, words, context, span }: Invocation): void {
  const { report, state } = context;
  const [callback] = program === 'mapfile' || program === 'readarray' ? callbacksOf(words) : [];
  if (callback !== undefined) {
    report.raise('dangerous', 'callback', { text: `${program} runs a command for every line`, span });
    context.walk.runText(textOf(callback) ?? '"$unknown"', callback.span, context);
  }
  const origin = program === 'unset' ? PLAIN : state.stdin.origin;
  if (/^(?:mapfile|readarray)$/.test(program) || words.some((word) => /^-\w*a/.test(beginningOf(word))))
    addArrays(
      state,
      words.map((word) => beginningOf(word).replace(/^-\w*?a(?=\w)/, '')),
    );
  // The option letters of `getopts` come before its name.
  for (const word of program === 'getopts' ? words.slice(1, 2) : words) {
    const text = word.kind === 'glob' ? word.pattern : beginningOf(word);
    if (program === 'unset' && text.startsWith('-f'))
      report.raise('warning', 'changes-names', { text: 'forgets a function', span });
    if (text.startsWith('-')) continue;
    const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
    if ((word.kind === 'dynamic' || word.kind === 'choice') && !/^\w+\[/.test(text)) {
      report.raise('warning', 'dynamic-name', {
        text: `${program} with a name that can't be known`,
        span: word.span,
      });
      forgetVariables(state);
    }
    evaluateName(word, context);
    if (name === undefined) continue;
    if (program === 'unset' && isObeyed(name)) {
      report.raise('warning', 'changes-names', { text: `forgets ${name}`, span: word.span });
    } else if (program !== 'unset') {
      assignTo(name, { ...UNKNOWN_VARIABLE, origin }, { span: word.span, context });
      continue;
    }
    state.variables.set(name, { ...UNKNOWN_VARIABLE, origin });
  }
  if (program === 'read' || program === 'mapfile' || program === 'readarray') {
    judgeNamesFromInput(context, span);
    for (const name of ['REPLY', 'MAPFILE']) state.variables.set(name, { ...UNKNOWN_VARIABLE, origin });
  }
}

/** `let` is arithmetic: its arguments are expressions. */
function judgeLet({ words, context }: Invocation): void {
  for (const word of words) {
    const name = /^([A-Za-z_]\w*)(?:[-+*/%&^|]|<<|>>)?=(?!=)/.exec(beginningOf(word));
    if (textOf(word) !== '--')
      evaluate(
        name === null || textOf(word) !== undefined ? word : after(word, name[0].length),
        word.span,
        context,
      );
    if (name?.[1] !== undefined && textOf(word) === undefined)
      becomesNumber(name[1], false, { span: word.span, context });
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
