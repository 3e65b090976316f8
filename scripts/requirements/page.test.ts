import { expect, test } from 'vitest';
import { parseRequirements } from './data.ts';
import { requirementsPage, withSummary } from './page.ts';

const requirements = parseRequirements(`
demands: X-01…X-04
sections:
  - title: Decisions
    rows:
      - { id: X-01, demand: One., state: done, note: Also more. }
      - { id: X-02, demand: Two., state: partly, note: Half is missing. }
      - { id: X-03, demand: Three., state: deviates, reason: It is safer., letter: 'Set \`a: b\`.' }
      - { id: X-04, demand: Four., state: context }
capabilities:
  - { id: A1, title: tools, rows: X-01…X-04 }
`);

test('the page has each row with its tests, and counts', () => {
  const marks = [
    { file: 'a.test.ts', titles: ['outer', 'one `x` (X-01)'], ids: ['X-01'], state: 'runs' },
    { file: 'a.test.ts', titles: ['two (X-02)'], ids: ['X-02'], state: 'skipped' },
  ] as const;
  const page = requirementsPage(requirements, marks);
  expect(page.slice(page.indexOf('## Decisions'))).toBe(`## Decisions

1 done, 1 partly, 1 deviates, 0 open.

- **X-01** done: One.
  _Also more._
  - \`a.test.ts\` › \`\`outer › one \`x\` (X-01)\`\`
- **X-02** partly: Two.
  _Half is missing._
  - \`a.test.ts\` › \`two (X-02)\` (skipped)
- **X-03** deviates: Three.
  Reason: It is safer. To the letter: Set \`a: b\`.
- **X-04** context: Four.

## Capabilities

The demands by what they ask for. Older commits cite these ids.

- **A1** tools: 1 of 3 done (X-01, X-02, X-03, X-04)
`);
});

test('the README gets the counts in its own line, and none without one', () => {
  expect(withSummary('# A\n\nRequirements: old.\n\nMIT\n', requirements)).toBe(
    '# A\n\nRequirements: 1 done, 1 partly, 1 deviates, 0 open ([each with its tests](docs/internals/requirements.md)).\n\nMIT\n',
  );
  expect(() => withSummary('# A\n', requirements)).toThrow('README.md');
});
