import { expect, test } from 'vitest';
import { candidatesOf, offerTool } from './testing/offer-tools.ts';
import { similaritiesByWords } from './tool-similarities.ts';
import { isNamed, nameWords, ownDescription, rankedText } from './tool-words.ts';

const NOTE = '\n(Tool "send" of the MCP server "chat")';

test('a tool is ranked by its name, its own description and its arguments', () => {
  const [one] = candidatesOf([offerTool('mcp__chat__send', { description: `Sends a message.${NOTE}` })]);
  if (one === undefined) throw new Error('no tool');
  expect(ownDescription(one.tool)).toBe('Sends a message.');
  expect(rankedText(one.tool, one.definition)).toBe('mcp  chat  send: Sends a message.\npath');
});

test('a hostile description is read up to a bound, and pushes no other tool out', () => {
  const hostile = [
    offerTool('mcp__a__huge', { description: 'read file '.repeat(200_000) }),
    offerTool('mcp__a__odd', { description: '\u{1F469}\u200D\u{1F4BB} \uD800 \u0000 ファイル \u202E' }),
    offerTool('mcp__a__empty', { description: '' }),
    offerTool('read_file', { description: 'Reads a file.' }),
  ];
  const candidates = candidatesOf(hostile);
  for (const { tool, definition } of candidates)
    expect(rankedText(tool, definition).length).toBeLessThan(3200);
  const similarities = similaritiesByWords('read a file', candidates);
  expect(similarities?.get('read_file')).toBeGreaterThan(0.5);
  expect(similarities?.get('mcp__a__empty')).toBe(0);
});

test('a name is a whole word, in any case', () => {
  const tool = offerTool('mcp__github__create_issue');
  const isIn = (text: string): boolean => isNamed(tool, nameWords(text));
  expect(['Use Create_Issue!', 'call mcp__github__create_issue'].map(isIn)).toEqual([true, true]);
  expect(['create issues', 'recreate_issue', 'mcp__github', ''].map(isIn)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
