import { definePrograms, type Invocation, NETWORK, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { textOf, type Word } from '../../word.ts';
import { onlyTests } from './only-tests.ts';
import { printsVersion } from '../prints-version.ts';

/** .NET. */
export const dotnet = definePrograms({
  names: ['dotnet'],
  unknownOptions: 'any',
  judge: ({ words, context, span }: Invocation) => {
    const { report } = context;
    report.effect(REPOSITORY_CODE);
    if (printsVersion(words) || onlyTests('test', words) || isReadOnly(words)) return;
    const [verb = '', ...rest] = words.map((word) => textOf(word) ?? '');
    const drops = verb === 'ef' && rest.includes('drop');
    const level = drops || /^(?:nuget|publish)$/.test(verb) ? 'dangerous' : 'warning';
    report.raise(level, 'builds', { text: 'builds or runs with dotnet', span });
    report.effect(WRITES_UNKNOWN);
    if (/^(?:restore|add|tool|workload|nuget)$/.test(verb)) report.effect(NETWORK);
  },
  examples: {
    safe: [
      'dotnet test',
      'dotnet test --no-build -v q',
      'dotnet format --verify-no-changes',
      'dotnet list package',
    ],
    warning: ['dotnet test --logger trx', 'dotnet build', 'dotnet format', 'dotnet list package --outdated'],
    dangerous: ['dotnet ef database drop', 'dotnet publish'],
  },
});

/** Lists without network access, and a formatter that only checks, without a report or arguments from a file. */
function isReadOnly(words: readonly Word[]): boolean {
  const [verb, ...rest] = words.map((word) => textOf(word) ?? '@');
  if (verb === 'list') return !rest.some((text) => /^--(?:outdated|vulnerable|deprecated)|^@/.test(text));
  if (verb !== 'format' || !rest.includes('--verify-no-changes')) return false;
  return !rest.some((text) => /^-(?:-report|-binarylog|bl)|^@/.test(text));
}
