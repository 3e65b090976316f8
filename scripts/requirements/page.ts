import { marksFor } from './check.ts';
import { type Requirements, type Row, rowsOf } from './data.ts';
import type { Mark } from './marks.ts';

const HEAD = `# Requirements

Written by \`node scripts/requirements/write.ts\` from \`docs/internals/requirements.yaml\` and the titles of the tests; \`npm run check\`
fails while this page is not current. Signalbox is built from five specifications (S000 to S004), and from the words in which it was
ordered (U). X are decisions where specifications contradict each other, and L is what was lost when the demands were first collected.
A row names every test whose title carries its id.

- **done**: built, and a test with this id would notice if it broke. \`npm test\` checks that it ran.
- **partly**: some of it; what is missing is said.
- **deviates**: built in another way on purpose, and tested so, with the reason, and how to get what the specification says.
  \`signalbox init --preset spec-003\` writes the settings of specification 003
  ([configuration.md](../configuration.md#specification-003-to-the-letter)).
- **open**: not built.
- **context**: says what a specification is about, plans or cites. It is not counted.
`;

const COUNTED = ['done', 'partly', 'deviates', 'open'] as const;

/** `docs/internals/requirements.md` */
export function requirementsPage(requirements: Requirements, marks: readonly Mark[]): string {
  const sections = requirements.sections.map(
    ({ title, rows }) =>
      `## ${title}\n\n${countsOf(rows)}.\n\n${rows.map((row) => rowText(row, marksFor(marks, row.id))).join('\n')}\n`,
  );
  return [HEAD, `${countsOf(rowsOf(requirements))}.\n`, ...sections, capabilitiesText(requirements)].join(
    '\n',
  );
}

/** The README with its line about the requirements as it should be. @throws when it has no such line. */
export function withSummary(readme: string, requirements: Requirements): string {
  const line = /^Requirements: .*$/m;
  if (!line.test(readme))
    throw new Error('Cannot update README.md: it has no line that begins with "Requirements:"');
  return readme.replace(
    line,
    `Requirements: ${countsOf(rowsOf(requirements))} ([each with its tests](docs/internals/requirements.md)).`,
  );
}

function countsOf(rows: readonly Row[]): string {
  return COUNTED.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(', ');
}

function rowText(row: Row, marks: readonly Mark[]): string {
  const lines = [`- **${row.id}** ${row.state}: ${row.demand}`];
  if (row.state === 'deviates') lines.push(`  Reason: ${row.reason} To the letter: ${row.letter}`);
  if (row.note !== undefined) lines.push(`  _${row.note}_`);
  return [lines.join('\n'), ...marks.map(markText)].join('\n');
}

function markText({ file, titles, state }: Mark): string {
  return `  - \`${file}\` › ${codeOf(titles.join(' › '))}${state === 'runs' ? '' : ` (${state})`}`;
}

/** As code, so that no letter of it counts as Markdown. */
function codeOf(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `\`\`${space}${text}${space}\`\``;
}

function capabilitiesText({ capabilities, ...requirements }: Requirements): string {
  const states = new Map(rowsOf({ capabilities, ...requirements }).map(({ id, state }) => [id, state]));
  const lines = capabilities.map(({ id, title, rows }) => {
    const counted = rows.filter((row) => states.get(row) !== 'context');
    const done = counted.filter((row) => states.get(row) === 'done');
    return `- **${id}** ${title}: ${done.length} of ${counted.length} done (${rows.join(', ')})`;
  });
  return `## Capabilities\n\nThe demands by what they ask for. Older commits cite these ids.\n\n${lines.join('\n')}\n`;
}
