import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlockScanner, type ScannedPiece } from './block-scanner.ts';

/** Scans a text that arrives in the given parts; neighbouring text is joined. */
function scan(parts: readonly string[]): ScannedPiece[] {
  const scanner = createBlockScanner();
  const joined: ScannedPiece[] = [];
  for (const piece of [...parts.flatMap((part) => scanner.push(part)), ...scanner.end()]) {
    const last = joined.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}

/** A text, and the same text cut at arbitrary places. */
const cutText = (text: fc.Arbitrary<string>): fc.Arbitrary<readonly [string, readonly string[]]> =>
  text.chain((whole) =>
    fc.array(fc.nat(whole.length)).map((cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      return [whole, places.slice(1).map((end, index) => whole.slice(places[index], end))] as const;
    }),
  );

const anyText = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        '```',
        '`',
        '````',
        'tool_call',
        'tool_',
        ' ',
        '\n',
        '\r\n',
        '{"name":"x"}',
        '{',
        '[]',
        'text',
      ),
      { maxLength: 30 },
    )
    .map((words) => words.join('')),
);

test('a block is extracted from the text around it', () => {
  expect(scan(['Let me look.\n```tool_call\n{"name": "x"}\n```\nThen we see.'])).toEqual([
    { kind: 'text', text: 'Let me look.\n' },
    { kind: 'block', body: '{"name": "x"}' },
    { kind: 'text', text: 'Then we see.' },
  ]);
});

test.each([
  ['the JSON is on the line of the fence', '```tool_call {"name": "x"}\n```'],
  ['the fence directly follows the JSON', '```tool_call\n{"name": "x"}```'],
  ['all of it is one line', '```tool_call {"name": "x"}```'],
  ['the fence is longer', '`````tool_call\n{"name": "x"}\n`````'],
  ['the fence is indented', '  ``` tool_call\n  {"name": "x"}\n  ```'],
  ['lines end as on Windows', '```tool_call\r\n{"name": "x"}\r\n```\r\n'],
  ['the fence is never closed', '```tool_call\n{"name": "x"}'],
])('a block is found when %s', (_, text) => {
  expect(scan([text])).toEqual([{ kind: 'block', body: '{"name": "x"}' }]);
});

test.each([
  'Here is code:\n```ts\nlet a = 1;\n```\n',
  'Write `tool_call` or ```tool_call``` in a line.',
  '```tool_calls\n{}\n```',
  'As I said ```tool_call\nis no fence.',
])('%j is text', (text) => {
  expect(scan([text])).toEqual([{ kind: 'text', text }]);
});

test('a fence inside the arguments does not end the block', () => {
  const body = '{"name": "write_file", "arguments": {"content": "```ts\\nlet a;\\n```"}}';
  expect(scan([`\`\`\`tool_call\n${body}\n\`\`\``])).toEqual([{ kind: 'block', body }]);
});

test('scanning blanks after a fence takes linear time', () => {
  const text = `\`\`\`${' '.repeat(200_000)}x!`;
  expect(scan([text])).toEqual([{ kind: 'text', text }]);
});

test('a shorter fence does not end the block of a longer one', () => {
  const body = '{"name": "x",\n```\n"id": "1"}';
  expect(scan([`\`\`\`\`tool_call\n${body}\n\`\`\`\``])).toEqual([{ kind: 'block', body }]);
});

test('text outside blocks is passed on at once, unless it may become a fence', () => {
  const scanner = createBlockScanner();
  expect(scanner.push('Let me')).toEqual([{ kind: 'text', text: 'Let me' }]);
  expect(scanner.push(' look.\n``')).toEqual([{ kind: 'text', text: ' look.\n' }]);
  expect(scanner.push('`ts\n')).toEqual([{ kind: 'text', text: '```ts\n' }]);
});

test('the result does not depend on where the text was cut', () => {
  fc.assert(
    fc.property(cutText(anyText), ([whole, parts]) => {
      expect(scan(parts)).toEqual(scan([whole]));
    }),
    { numRuns: 500 },
  );
});

test('text without a tool_call fence is unchanged', () => {
  const harmless = anyText.filter((text) => !text.includes('tool_call'));
  fc.assert(
    fc.property(cutText(harmless), ([whole, parts]) => {
      expect(scan(parts)).toEqual(whole === '' ? [] : [{ kind: 'text', text: whole }]);
    }),
    { numRuns: 500 },
  );
});

test('every call is returned as written, between any texts', () => {
  const texts = fc.string().map((text) => `${text.replaceAll('`', '')}\n`);
  const bodies = fc.jsonValue().map((args) => JSON.stringify({ name: 'x', arguments: args }));
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, bodies), { maxLength: 5 }), (said) => {
      const whole = said.map(([text, body]) => `${text}\`\`\`tool_call\n${body}\n\`\`\`\n`).join('');
      expect(scan([whole])).toEqual(
        said.flatMap(([text, body]) => [
          { kind: 'text', text },
          { kind: 'block', body },
        ]),
      );
    }),
    { numRuns: 300 },
  );
});
