import { defaultSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { type FilterFacts, filterTools } from './filter-tools.ts';
import { candidatesOf, offerTool } from './testing/offer-tools.ts';
import { nameWords } from './tool-words.ts';

const NAMES = ['always', 'basic', 'mcp__a__far', 'mcp__a__near', 'mcp__a__nearest'];
const TOOLS = NAMES.map((name) => offerTool(name));
const SIMILARITIES = { always: 0, basic: 0, mcp__a__far: 0.1, mcp__a__near: 0.5, mcp__a__nearest: 0.9 };

function filtered(
  more: Omit<Partial<FilterFacts>, 'settings'> & { settings?: Partial<FilterFacts['settings']> } = {},
  tools = TOOLS,
) {
  const { offered, hidden } = filterTools(candidatesOf(tools), {
    caller: 'native',
    words: new Set(),
    similarities: new Map(Object.entries(SIMILARITIES)),
    boostOf: () => 0,
    kept: new Set(),
    ...more,
    settings: {
      ...defaultSettings().agent.tool_filter,
      enabled: true,
      top_k: 1,
      always_on: ['always'],
      never_left_out: ['bas*'],
      ...more.settings,
    },
  });
  return {
    offered: Object.fromEntries(offered.map(({ tool, reason }) => [tool.name, reason])),
    hidden: hidden.map(({ tool }) => tool.name),
    why: Object.fromEntries(hidden.map(({ tool, reason }) => [tool.name, reason])),
  };
}

test('the tools most similar to the task are offered, beside those that always are (S001-74, S001-75, S001-76)', () => {
  expect(filtered()).toMatchObject({
    offered: { always: 'always-on', basic: 'basic', mcp__a__nearest: 'ranked' },
    hidden: ['mcp__a__far', 'mcp__a__near'],
  });
  expect(filtered({ settings: { top_k: 2 } }).hidden).toEqual(['mcp__a__far']);
  expect(filtered({ settings: { top_k: 3, min_similarity: 0.5 } }).hidden).toEqual(['mcp__a__far']);
});

test('a tool that the task names is offered, by its whole name or its own on its server (S001-74)', () => {
  const named = (task: string) => filtered({ words: nameWords(task) }).offered;
  expect(named('Call mcp__a__far, please.')).toMatchObject({ mcp__a__far: 'named' });
  expect(named('Go FAR.')).toMatchObject({ mcp__a__far: 'named' });
  expect(named('Go farther.')).not.toHaveProperty('mcp__a__far');
});

test('what can not be ranked is offered: a short description of another server, a missing embedding (S001-74)', () => {
  const note = '\n(Tool "far" of the MCP server "a")';
  const withShort = TOOLS.map((tool) =>
    tool.name === 'mcp__a__far' ? { ...tool, description: `Goes far${note}` } : tool,
  );
  expect(filtered({}, withShort).offered).toMatchObject({ mcp__a__far: 'short-description' });
  expect(filtered({ settings: { min_description_words: 2 } }, withShort).hidden).toContain('mcp__a__far');
  const { mcp__a__far: _, ...rest } = SIMILARITIES;
  expect(filtered({ similarities: new Map(Object.entries(rest)) }).offered).toMatchObject({
    mcp__a__far: 'no-embedding',
  });
});

test('what a session was offered stays, and nothing is added while its task is the same (S001-80)', () => {
  const kept = new Set(['mcp__a__far', 'mcp__a__nearest']);
  expect(filtered({ kept })).toMatchObject({
    offered: { always: 'always-on', basic: 'basic', mcp__a__far: 'kept', mcp__a__nearest: 'ranked' },
    hidden: ['mcp__a__near'],
  });
});

test('a preferred tool that has succeeded moves a tool up (S001-91)', () => {
  const boostOf = (tool: string): number => (tool === 'mcp__a__near' ? 0.41 : 0);
  expect(filtered({ boostOf }).offered).toMatchObject({ mcp__a__near: 'ranked' });
});

test.each([
  ['while the filter is off', { settings: { enabled: false } }],
  ['without anything to rank by', { similarities: null }],
  ['to a model that reads them in its prompt', { caller: 'prompt' }],
  ['to an agent', { caller: 'agent', similarities: null }],
] as const)('all tools are offered %s (S001-77, S001-80)', (_, facts) => {
  expect(filtered(facts)).toMatchObject({
    offered: Object.fromEntries(NAMES.map((name) => [name, 'unfiltered'])),
    hidden: [],
  });
});

test('between equal tools the order is fixed: built-in ones first, then by name (S001-80)', () => {
  const names = ['mcp__a__one', 'mcp__a__two', 'zip', 'zoom'];
  const similarities = new Map(names.map((name) => [name, 0.5]));
  for (const given of [names, names.toReversed()]) {
    const offered = (top_k: number): readonly string[] => {
      const tools = given.map((name) => offerTool(name));
      return Object.keys(filtered({ similarities, settings: { top_k } }, tools).offered).toSorted();
    };
    expect([1, 2, 3].map(offered)).toEqual([['zip'], ['zip', 'zoom'], ['mcp__a__one', 'zip', 'zoom']]);
  }
});

test('a tool that is offered anyway takes no place, and one that is left out says how similar it is (S001-76)', () => {
  const similarities = new Map(Object.entries({ ...SIMILARITIES, always: 1, basic: 1 }));
  const boostOf = (tool: string): number => (tool === 'mcp__a__far' ? 0.2 : 0);
  const { offered, why } = filtered({ similarities, boostOf, settings: { always_on: ['other', 'always'] } });
  expect(offered).toEqual({ always: 'always-on', basic: 'basic', mcp__a__nearest: 'ranked' });
  expect(why).toEqual({
    mcp__a__near: { kind: 'left-out', similarity: { similarity: 0.5, boost: 0, rank: 2 } },
    mcp__a__far: { kind: 'left-out', similarity: { similarity: 0.1, boost: 0.2, rank: 3 } },
  });
  const near = filtered({ boostOf, settings: { top_k: 3, min_similarity: 0.3 } });
  expect(near.offered).toHaveProperty('mcp__a__far', 'ranked');
});

test('only descriptions of MCP servers can be too short, and their words count (S001-74)', () => {
  const described = (name: string, text: string) => {
    const note = name.startsWith('mcp__') ? '\n(Tool "far" of the MCP server "a")' : '';
    return filtered({ similarities: new Map([[name, 0]]), settings: { top_k: 0 } }, [
      offerTool(name, { description: `${text}${note}` }),
    ]).offered;
  };
  expect(described('zip', 'Packs')).toEqual({});
  expect(described('mcp__a__far', ' Goes  far ')).toEqual({ mcp__a__far: 'short-description' });
  expect(described('mcp__a__far', 'Goes very far')).toEqual({});
});

test('an agent whose task is unknown may be offered built-in tools only', () => {
  const settings = { without_task: 'search' } as const;
  expect(filtered({ caller: 'agent', similarities: null, settings })).toMatchObject({
    offered: { always: 'always-on', basic: 'basic' },
    hidden: ['mcp__a__far', 'mcp__a__near', 'mcp__a__nearest'],
  });
  const more = filtered({ caller: 'agent', similarities: null, settings }, [...TOOLS, offerTool('zip')]);
  expect(more.offered).toHaveProperty('zip', 'built-in');
});
