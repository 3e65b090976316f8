import { assignTo, becomesNumber, evaluate, evaluateName } from '../../expansion/evaluate.ts';
import { judgeNamesFromInput } from '../../paths/named-secrets.ts';
import { hasOption } from '../../options.ts';
import { climbsInOwnFolder, isInOwnFolder } from '../../paths/own-folders.ts';
import { absolutePath } from '../../paths/paths.ts';
import { definePrograms, type Invocation } from '../../program.ts';
import { addArrays, forgetVariables, UNKNOWN_VARIABLE } from '../../state.ts';
import { after, beginningOf, PLAIN, textOf, type Word } from '../../word.ts';
import { isObeyed, judgeDeclaration } from './declarations.ts';

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

/** Names are set to unknown values; a subscript among them is evaluated. */
function judgeAssigning({ program, words, context, span }: Invocation): void {
  const { report, state } = context;
  const [callback] = program === 'mapfile' || program === 'readarray' ? callbacksOf(words) : [];
  if (callback !== undefined) {
    report.raise('dangerous', 'callback', { text: `runs a command for every line with ${program}`, span });
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
      report.raise('warning', 'changes-names', { text: 'unsets a function', span });
    if (text.startsWith('-')) continue;
    const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
    if ((word.kind === 'dynamic' || word.kind === 'choice') && !/^\w+\[/.test(text)) {
      report.raise('warning', 'dynamic-name', {
        text: `uses ${program} with a name that can't be determined`,
        span: word.span,
      });
      forgetVariables(state);
    }
    evaluateName(word, context);
    if (name === undefined) continue;
    if (program === 'unset' && isObeyed(name)) {
      report.raise('warning', 'changes-names', { text: `unsets ${name}`, span: word.span });
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
