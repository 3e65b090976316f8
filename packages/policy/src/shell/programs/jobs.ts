import { definePrograms } from '../program.ts';
import { textOf } from '../word.ts';
import { runSubscript } from './builtins.ts';

/** Builtins that end, await and signal processes. */
export const jobs = definePrograms(
  {
    names: ['exit', 'return', 'break', 'continue', 'shift', 'caller', 'fg', 'bg'],
    unknownOptions: 'any',
    examples: { safe: ['exit 1', 'ls || exit 1'] },
  },
  {
    names: ['kill'],
    unknownOptions: 'any',
    judge: ({ words, scene, span }) => {
      const texts = words.map((word) => textOf(word));
      if (/^-[lL]$/.test(texts[0] ?? '')) return;
      scene.report.raise('warning', 'kills', 'sends a signal to a process', span);
      const everyone = texts.slice(1).some((text) => text === '-1' || text === '1' || text === '0');
      if (everyone)
        scene.report.raise('dangerous', 'kills', 'stops every process it may, or the first', span);
    },
    examples: {
      safe: ['kill -l'],
      warning: ['kill 1234', 'kill -9 1234', 'kill -TERM %1'],
      dangerous: ['kill -9 -1', 'kill -9 1'],
    },
  },
  {
    names: ['wait'],
    unknownOptions: 'any',
    judge: ({ words, scene }) => {
      const at = words.findIndex((word) => /^-[fn]*p$/.test(textOf(word) ?? ''));
      const name = words[at + 1];
      if (at >= 0 && name !== undefined) runSubscript(name, scene);
    },
    examples: { safe: ['wait', 'wait "$pid"', 'wait -n'], dangerous: ["wait -n -p 'a[$(id)]'"] },
  },
);
