import { ToolName } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawTool, readListing } from './listed-tool.ts';
import { toolNames } from './tool-names.ts';

const SERVER = { server: 'github', identity: 'i' };
const raw = (name: string, more: Partial<RawTool> = {}): RawTool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

describe('names of a server’s tools', () => {
  test.for([
    ['create_issue', 'mcp__github__create_issue'],
    ['create-issue', 'mcp__github__create_issue'],
    ['Create.Issue', 'mcp__github__create_issue'],
  ] as const)('%s is %s', ([theirs, ours]) => expect(toolNames('github', [theirs]).get(theirs)).toBe(ours));

  test('of tools that would share a name, the exact spelling keeps it, in any order', () => {
    for (const order of [
      ['echo', 'Echo', 'ECHO'],
      ['ECHO', 'Echo', 'echo'],
    ]) {
      const names = toolNames('github', order);
      expect(names.get('echo')).toBe('mcp__github__echo');
      expect(names.get('Echo')).toMatch(/^mcp__github__echo_[0-9a-f]{8}$/);
      expect(new Set(names.values()).size).toBe(3);
    }
  });

  test('every name is valid and unique', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 128 }), { maxLength: 30 }),
        (theirs) => {
          const names = [...toolNames('github', theirs).values()];
          expect(names.filter((name) => !ToolName.safeParse(name).success)).toEqual([]);
          expect(new Set(names).size).toBe(theirs.length);
        },
      ),
    );
  });
});

describe('what a server lists', () => {
  /** Found in a review. */
  const INVISIBLE = [0x61c, 0xad, 0x34f, 0x180e, 0x2028, 0x2800, 0x3164, 0xfe0f, 0xe0100];

  test('omits a tool whose name has invisible or confusable characters (R-C2)', () => {
    const { tools, leftOut } = readListing(SERVER, [
      raw('a\u202Eb'),
      raw('c\nd'),
      raw('e f'),
      raw('\u001B[2J'),
      ...INVISIBLE.map((code) => raw(`x${String.fromCodePoint(code)}y`)),
      raw('g\u0456thub'),
    ]);
    expect(tools.map(({ theirs }) => theirs)).toEqual(['e f']);
    expect(leftOut.slice(0, 3)).toEqual([
      'a<U+202E>b: its name has characters that hide or look like others',
      String.raw`c\nd: its name has characters that hide or look like others`,
      String.raw`\x1b[2J: its name has characters that hide or look like others`,
    ]);
  });

  test('is shown without terminal control and invisible characters', () => {
    const { tools } = readListing(SERVER, [
      raw('a', {
        description: '\u001B[2Jnice\u202E \u{E0041}',
        inputSchema: { type: 'object', properties: { 'p\u0007': { description: '\u001B[1mx' } } },
      }),
    ]);
    expect(tools[0]).toMatchObject({
      description: 'nice ',
      inputSchema: { properties: { p: { description: 'x' } } },
    });
  });

  test.for([
    ['a name twice', [raw('a'), raw('a', { description: 'another' })], 'a: it is listed 2 times'],
    ['no name', [raw('')], 'its name is empty'],
    ['a schema that is not an object', [raw('a', { inputSchema: 'x' })], 'not a JSON object'],
    [
      'a schema that is too large',
      [raw('a', { inputSchema: { x: 'y'.repeat(40_000) } })],
      'over 32768 bytes',
    ],
    [
      'a schema that refers elsewhere',
      [raw('a', { inputSchema: { $ref: 'https://evil.example' } })],
      'refers to "https://evil.example"',
    ],
    ['a schema that is too deep', [raw('a', { inputSchema: deep(30) })], 'levels deep'],
  ] as const)('%s is omitted with a reason', ([, listed, why]) => {
    const { tools, leftOut } = readListing(SERVER, [...listed, raw('good')]);
    expect(tools.map(({ theirs }) => theirs)).toEqual(['good']);
    expect(leftOut.join()).toContain(why);
  });

  test('has at most 200 tools', () => {
    const { tools, leftOut } = readListing(
      SERVER,
      Array.from({ length: 203 }, (_, at) => raw(`t${at}`)),
    );
    expect([tools.length, leftOut]).toEqual([200, ['3 more: it lists over 200 tools']]);
  });

  test('has a new definition if any word of it, or the server, changes', () => {
    const tool = raw('a', {
      description: 'A',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    const definitions = [
      [SERVER, tool],
      [{ ...SERVER, identity: 'j' }, tool],
      [SERVER, { ...tool, description: 'A\u200B' }],
      [SERVER, { ...tool, title: 'T' }],
      [SERVER, { ...tool, inputSchema: { type: 'object', required: ['x'] } }],
      [SERVER, { ...tool, outputSchema: { type: 'object' } }],
      [SERVER, { ...tool, annotations: { readOnlyHint: false } }],
    ] as const;
    const hashes = definitions.map(([server, one]) => readListing(server, [one]).tools[0]?.definition);
    expect(new Set(hashes).size).toBe(definitions.length);
    expect(readListing(SERVER, [{ ...tool }]).tools[0]?.definition).toBe(hashes[0]);
  });
});

function deep(levels: number): object {
  return levels === 0 ? {} : { items: deep(levels - 1) };
}
