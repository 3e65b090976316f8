import { argumentVariables } from '../../expansion/arguments.ts';
import { freshVariables } from '../../expansion/fresh-variables.ts';
import { valueOf } from '../../options.ts';
import {
  definePrograms,
  named,
  type Invocation,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';

/** Builtins of the shell that change its settings, or its later actions. */
export const shellSettings = definePrograms({
  names: named(
    'alias unalias hash enable set shopt trap bind complete compgen compopt ulimit umask fc history disown suspend logout',
  ),
  unknownOptions: 'any',
  judge: judgeShellChange,
  examples: {
    safe: [
      'set -e; ls',
      'set -euo pipefail',
      'set +x',
      'umask',
      'ulimit -a',
      'shopt',
      "trap 'echo bye' EXIT",
    ],
    warning: ['alias ls=rm', 'shopt -s expand_aliases', 'set -a', 'umask 0'],
    dangerous: [
      'hash -p ./x ls',
      'enable -f ./x.so y',
      'hash -p ./x ls',
      'enable -f ./x.so y',
      "trap 'rm -rf lib' EXIT",
      `bind -x '"\\C-a": rm -rf lib'`,
      "compgen -C 'rm -rf lib'",
      "alias x='rm -rf lib'",
      'set -- .env; cat "$1"',
      'alias g=git; g reset --hard',
    ],
    blocked: ["trap 'sudo id' EXIT"],
  },
});

/** Options of `set` that only make a script stricter or more verbose. */
const STRICT = /^[-+](?:[eufxvhbnCE]+|[eufxvCE]*o)$/;
const STRICT_NAMES = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace)$/;

function judgeShellChange({ program, words, options, context, span }: Invocation): void {
  const texts = words.map((word) => textOf(word) ?? '');
  const { report } = context;
  const dashes = texts.indexOf('--');
  if (program === 'set' && dashes >= 0)
    for (const [name, variable] of argumentVariables(words.slice(dashes)))
      context.state.variables.set(name, variable);
  if (
    program === 'set' &&
    texts.length > 0 &&
    texts.every((text) => STRICT.test(text) || STRICT_NAMES.test(text))
  )
    return;
  if (
    (program === 'umask' || program === 'ulimit') &&
    texts.every((text) => /^-[aSHnpfctdmsuvlq]*$/.test(text))
  )
    return;
  const globbing = texts.every((text) =>
    /^(?:-[su]|globstar|nullglob|failglob|dotglob|nocaseglob|inherit_errexit|extglob)$/.test(text),
  );
  if (program === 'shopt' && (globbing || texts.every((text) => !/^-[a-z]*[su]/.test(text)))) return;
  if (program === 'compgen' && !texts.some((text) => /^-[a-zA-Z]*[CFW]/.test(text))) return;
  if (program === 'history' && texts.every((text) => /^\d+$/.test(text))) return;
  if (program === 'trap' && texts.length > 0 && texts.every((text) => /^-[lp]$/.test(text))) return;
  if (program === 'alias' && texts.every((text) => text === '-p')) return;
  if (program === 'trap' && texts.length > 1) return runLater(words[texts[0] === '--' ? 1 : 0], context);
  report.raise('warning', 'changes-shell', {
    text: `uses ${program}, which changes what later commands mean`,
    span,
  });
  report.effect(WRITES_UNKNOWN);
  if ((program === 'hash' && texts.includes('-p')) || (program === 'enable' && texts.includes('-f'))) {
    report.raise('dangerous', 'changes-shell', {
      text: `gives another program a known name with ${program}`,
      span,
    });
  }
  const keys = program === 'bind' ? texts.findIndex((text) => /^-[a-zA-Z]*x$/.test(text)) : -1;
  const bound = words[keys + 1];
  if (keys >= 0 && bound !== undefined) runLater(after(bound, beginningOf(bound).indexOf(':') + 1), context);
  if (program === 'alias') {
    for (const word of words) {
      const [name = '', value] = (textOf(word) ?? '').split(/=(.*)/s);
      if (value !== undefined)
        context.state.aliases = new Map([...(context.state.aliases ?? []), [name, value]]);
      runLater(after(word, beginningOf(word).indexOf('=') + 1), context);
    }
  }
  const callback =
    valueOf(options, '-C') ?? words[texts.findIndex((text) => /^-[a-zA-Z]*[CF]$/.test(text)) + 1];
  if (
    (program === 'complete' || program === 'compgen') &&
    texts.some((text) => /^-[a-zA-Z]*[CF]$/.test(text))
  )
    runLater(callback, context);
  if (program === 'history' && texts.some((text) => /^-[a-z]*[cdw]/.test(text)))
    report.raise('dangerous', 'history', { text: 'deletes or rewrites the shell history', span });
  if (program === 'fc' || program === 'history')
    report.raise('warning', 'history', { text: 'uses the shell history', span });
}

function runLater(word: Word | undefined, context: EvaluationContext): void {
  if (word === undefined || textOf(word) === '' || textOf(word) === '-') return;
  const text = textOf(word);
  if (text === undefined)
    context.report.raise('dangerous', 'dynamic-script', {
      text: "schedules text that can't be determined",
      span: word.span,
    });
  else
    context.walk.runText(text, word.span, {
      ...context,
      state: { ...context.state, variables: new Map(freshVariables(context)), isOpen: true, cwd: undefined },
    });
}
