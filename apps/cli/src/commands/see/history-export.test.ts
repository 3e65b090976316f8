import { expect, test } from 'vitest';
import { aStoryCommand, ended } from '../../testing/records.ts';
import { historyCsv, historyJsonl } from './history-export.ts';

const records = [
  ended(aStoryCommand('c9xs', 'openai', { title: 'bash echo "a, b"' })),
  ended(aStoryCommand('d', 'openai', { title: '=1+1' })),
];

test('CSV quotes where needed, and no field is taken for a formula', () => {
  const [head, first, second] = historyCsv(records).split('\r\n');
  expect(head).toMatch(/^id,session_id,provider,tool,title,/);
  expect(first).toContain(',openai,bash,"bash echo ""a, b""",');
  expect(second).toContain(",'=1+1,");
});

test('JSONL contains the records as stored (S003-46)', () => {
  expect(
    historyJsonl(records)
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as unknown),
  ).toEqual(records);
});
