import { assignTo, evaluateName } from '../../expansion/evaluate.ts';
import { definePrograms } from '../../program.ts';
import { hasOption } from '../../options.ts';
import { NUMBER_VARIABLE } from '../../state.ts';
import { beginningOf, isDataOption, show, textOf } from '../../word.ts';
import { runRest } from '../shells/run-rest.ts';

/** Builtins that end, await and signal processes. */
export const jobs = definePrograms(
  {
    names: ['exit', 'return', 'break', 'continue', 'shift', 'caller', 'fg', 'bg'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    examples: { safe: ['exit 1', 'ls || exit 1'] },
  },
  {
    names: ['jobs'],
    style: 'posix',
    options: '-lnprsx',
    judge: ({ options, context }) => {
      if (hasOption(options, '-x')) runRest(options.operands, context);
    },
    examples: { safe: ['jobs', 'jobs -l'], dangerous: ['jobs -x rm -rf lib'] },
  },
  {
    names: ['kill'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, context, span }) => {
      const texts = words.map((word) => textOf(word));
      // Signal 0 only checks whether the process exists.
      if (/^-[lL]$/.test(texts[0] ?? '') || texts[0] === '-0' || (texts[0] === '-s' && texts[1] === '0'))
        return;
      context.report.raise('warning', 'kills', { text: 'sends a signal to a process', span });
      const signalsAll = texts.slice(1).some((text) => text === '-1' || text === '1' || text === '0');
      if (signalsAll)
        context.report.raise('dangerous', 'kills', {
          text: 'sends a signal to every process or to the first one',
          span,
        });
    },
    examples: {
      safe: ['kill -l', 'kill -0 1234'],
      warning: ['kill 1234', 'kill -9 1234', 'kill -TERM %1'],
      dangerous: ['kill -9 -1', 'kill -9 1'],
    },
  },
  {
    names: ['wait'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, context }) => {
      for (const word of words)
        if (isDataOption(word))
          context.report.raise('warning', 'dynamic-name', {
            text: `may set a variable: ${show(word)}`,
            span: word.span,
          });
      const at = words.findIndex((word) => /^-[fn]*p$/.test(textOf(word) ?? ''));
      const name = words[at + 1];
      if (at < 0 || name === undefined) return;
      evaluateName(name, context);
      assignTo(beginningOf(name).replace(/\[.*$/s, ''), NUMBER_VARIABLE, { span: name.span, context });
    },
    examples: {
      safe: ['wait', 'wait "$pid"', 'wait -n'],
      dangerous: ["wait -n -p 'a[$(id)]'", 'wait -np PATH'],
    },
  },
);
