import { expect, test } from 'vitest';
import { findTools } from './find-tools.tool.ts';
import { aToolContext, outputOf } from './testing/tool-context.ts';

test('find_tools answers with what was found, descriptions cut, or says that nothing fits', async () => {
  const asked: string[] = [];
  const context = aToolContext({
    async findTools(words) {
      asked.push(words);
      return words === 'nothing' ? [] : [{ name: 'mcp__a__b', description: 'x'.repeat(2000) }];
    },
  });
  expect(await outputOf(findTools, { query: 'send a message' }, context)).toEqual([
    { name: 'mcp__a__b', description: 'x'.repeat(500) },
  ]);
  expect(await outputOf(findTools, { query: 'nothing' }, context)).toContain('No other tool fits');
  expect(asked).toEqual(['send a message', 'nothing']);
});
