import { Level } from '@signalbox/core';
import { classifyLine } from '../classify-line.ts';
import type { ProgramRules, Rule } from '../program.ts';
import { FAMILIES } from './table.ts';

/** `docs/shell-rules.md`: every rule of the classifier in one line, with its verdicts on its own examples. */
export function shellRulesPage(): string {
  const families = Object.entries(FAMILIES).map(([family, programs]) => {
    const rules = programs.flatMap((program) => rulesOf(program));
    return `## ${titleOf(family)}\n\n${rules.map((rule) => lineOf(rule)).join('\n')}`;
  });
  return `${HEAD}\n${families.join('\n\n')}\n`;
}

const HEAD = `# Rules for shell lines

Written by \`node apps/cli/src/docs.ts\` from the rules themselves (\`packages/policy/src/shell/programs\`); a test fails while this
page is not current. One line for each program or subcommand that the classifier knows: what it may find, and examples with their
levels. The examples are tests. A line gets the level of its worst part; a rule can only raise it.

The following applies everywhere: a program that is not listed, or is named by a path, is a \`warning\`, and so is an option
that is not listed. A write outside the workspace is \`dangerous\`, and \`blocked\` in system folders. Reading what looks
like a secret is \`dangerous\`, also as an argument of an unknown program. A redirect is a write. A program of the workspace
with the name of a known one (\`./gradlew test\`, \`vendor/bin/phpunit\`) counts as code of the workspace, as \`bash x.sh\`
does, and not as unknown. [policy.md](policy.md) says what each level means for a call.
`;

type Named = Readonly<{ names: readonly string[]; rule: Rule; lines: readonly string[] }>;

/** The rule of a program and those of its verbs; an example of the program goes to the verb that it shows. */
function rulesOf(program: ProgramRules): readonly Named[] {
  const verbs = Object.entries(program.verbs ?? {}).map(([text, rule]) => {
    const names = text
      .split(' ')
      .flatMap((verb) => program.names.slice(0, 1).map((name) => `${name} ${verb}`));
    const shown = linesOf(program).filter((line) => names.some((name) => ` ${line} `.includes(` ${name} `)));
    const lines = [...linesOf(rule), ...shown];
    return { names, rule, lines: lines.length > 0 ? lines : names.slice(0, 1) };
  });
  const rest = linesOf(program).filter((line) => !verbs.some((verb) => verb.lines.includes(line)));
  return [
    { names: program.names, rule: program, lines: rest.length > 0 ? rest : linesOf(program) },
    ...verbs,
  ];
}

function linesOf({ examples = {} }: Rule): readonly string[] {
  return Level.options.flatMap((level) => examples[level] ?? []);
}

function lineOf({ names, rule, lines }: Named): string {
  const judged = lines.map((line) => ({ line, verdict: classifyLine(line, { cwd: '/repo' }) }));
  const found = judged.flatMap(({ verdict }) =>
    verdict.reasons.filter((reason) => reason.level !== 'safe').slice(0, 1),
  );
  const texts = [rule.text, ...found.map((reason) => withoutNames(reason.text))].filter(
    (text) => text !== undefined,
  );
  const what = [...new Set(texts)].slice(0, MAX_TEXTS).join('; ');
  const shown = Level.options.flatMap((level) => {
    const example = judged.find(({ line, verdict }) => verdict.level === level && !/[\n`]/.test(line));
    return example === undefined ? [] : [`${level} \`${example.line}\``];
  });
  const title = names.map((name) => `\`${name}\``).join(' ');
  return `- ${title}: ${what === '' ? 'read-only' : what}. ${shown.join(', ')}`;
}

/** Turns a text about one file into one about files. */
function withoutNames(text: string): string {
  return text.replace(/: .*$/s, '').replace(/^(writes|deletes|moves) \S+$/, '$1 files');
}

/** A rule with more findings is described by the first of them. */
const MAX_TEXTS = 4;

/** `readOnlyPrograms` is `Read-only programs`. */
function titleOf(family: string): string {
  const words = family
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace('read only', 'read-only');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
