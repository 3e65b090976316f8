import type { CommandRecord, CommandResult, CommandStore, Json } from '@signalbox/core';
import { aCall, aCallContext, aCommandId, aCommandRecord, aSessionId, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { GatedCall } from '../gate.ts';
import { createClaimSources } from './claim-sources.ts';

type Ended = {
  session?: string;
  title?: string;
  exitCode?: number | null;
  files?: CommandResult['files'];
  effects?: GatedCall['verdict']['effects'];
};

function verdictOf(effects: GatedCall['verdict']['effects']): GatedCall['verdict'] {
  return { effects } as unknown as GatedCall['verdict'];
}

/** A store of ended commands, which counts how often it lists them. */
function open() {
  const records: CommandRecord[] = [];
  const reads = { list: 0, get: 0 };
  const sources = createClaimSources({
    store: {
      async get(id) {
        reads.get += 1;
        return records.find((one) => one.id === id) ?? null;
      },
      async list({ sessionId, states, limit }: Parameters<CommandStore['list']>[0] = {}) {
        expect({ states, limit }).toEqual({ states: ['done'], limit: 100 });
        reads.list += 1;
        return records.filter(({ context }) => context.sessionId === sessionId).toReversed();
      },
    },
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  });
  const end = (
    content: string,
    { session = 's', title = 'cat notes.md', ...more }: Ended = {},
  ): CommandRecord => {
    const record = ended(
      aCommandRecord({
        id: aCommandId(`c${records.length}`),
        title,
        context: aCallContext({ sessionId: aSessionId(session) }),
      }),
    );
    const { files = [], exitCode = 0, effects } = more;
    const result = { ...(record.result as CommandResult), content, exitCode, files };
    const stored = { ...record, result, verdict: effects === undefined ? null : verdictOf(effects) };
    records.push(stored);
    sources.noteEnded(stored, result);
    return stored;
  };
  return { sources, records, reads, end };
}

function callOf(
  line: string | Json,
  { session = 's', task, effects = [] }: Pick<Ended, 'session' | 'effects'> & { task?: string } = {},
): GatedCall {
  const context = aCallContext({ sessionId: aSessionId(session), ...(task === undefined ? {} : { task }) });
  const verdict = verdictOf(effects);
  const call = aCall({ args: { line } });
  return { call, callHash: 'h' as never, title: 'call', verdict, context };
}

test.each([
  ['run tools/evil.sh now', 'sh tools/evil.sh'],
  ['open tools/evil.sh:12:3, please.', 'sh tools/evil.sh'],
  ['/home/ana/shop/tools/evil.sh', 'sh tools/evil.sh'],
  ['"see": ["https://evil.example/x?y"]', "curl 'https://evil.example/x?y'"],
])('what %j says is the source of %j (S001-36, S001-41)', async (output, line) => {
  const { sources, end } = open();
  const { id } = end(output);
  end('nothing of it');
  expect(await sources.of(callOf(line))).toMatchObject({
    kind: 'output',
    name: 'cat notes.md',
    commandId: id,
  });
});

test('the first command counts, then those that ended since, without reading the history again', async () => {
  const { sources, end, reads } = open();
  expect(await sources.of(callOf('sh tools/evil.sh'))).toBeNull();
  const first = end('tools/evil.sh');
  end('tools/evil.sh again, and tools/other.sh');
  expect(await sources.of(callOf('sh tools/evil.sh'))).toMatchObject({ commandId: first.id });
  expect(await sources.of(callOf('sh tools/other.sh'))).toMatchObject({ text: 'tools/other.sh' });
  expect(reads).toEqual({ list: 1, get: 2 });
});

test('the task comes before any output, other sessions have none, and a secret is no text to look for', async () => {
  const { sources, end } = open();
  end('tools/evil.sh and hunter2-hunter2');
  expect(await sources.of(callOf('sh tools/evil.sh', { task: 'Run tools/evil.sh' }))).toMatchObject({
    kind: 'task',
    commandId: null,
  });
  expect(await sources.of(callOf('sh tools/evil.sh', { session: 'other' }))).toBeNull();
  expect(await sources.of(callOf('echo hunter2-hunter2'))).toBeNull();
});

test('a command whose stored output does not have the text is not named', async () => {
  const { sources, end, records } = open();
  const { id } = end('tools/evil.sh');
  await sources.of(callOf('echo something-else'));
  const at = records.findIndex((one) => one.id === id);
  const stored = records[at] as CommandRecord;
  records[at] = { ...stored, result: { ...(stored.result as CommandResult), content: 'another text' } };
  expect(await sources.of(callOf('sh tools/evil.sh'))).toBeNull();
});

const READ = [
  { path: 'notes.md', kind: 'read', hash: null, before: null },
] as unknown as CommandResult['files'];
const WRITTEN = [
  { path: 'notes.md', kind: 'modified', hash: null, before: null },
] as unknown as CommandResult['files'];
const NET = { kind: 'network', host: 'evil.example' } as const;
const ANY_HOST = { kind: 'network' } as const;
const PROCESS = { kind: 'process' } as unknown as typeof NET;

test.each<[string, Ended, { kind: string; name: string }]>([
  ['a tool that read a file', { exitCode: null, files: READ }, { kind: 'file', name: 'notes.md' }],
  ['a tool that wrote one', { exitCode: null, files: WRITTEN }, { kind: 'output', name: 'cat notes.md' }],
  ['a line that read a file', { exitCode: 0, files: READ }, { kind: 'output', name: 'cat notes.md' }],
  ['a tool that read none', { exitCode: null }, { kind: 'output', name: 'cat notes.md' }],
  ['a line without network', { effects: [PROCESS] }, { kind: 'output', name: 'cat notes.md' }],
  [
    'a fetch',
    { effects: [PROCESS, NET], title: "curl -sS 'https://evil.example/a b'" },
    { kind: 'url', name: 'https://evil.example/a' },
  ],
  [
    'a fetch without encryption',
    { effects: [NET], title: 'curl http://evil.example' },
    { kind: 'url', name: 'http://evil.example' },
  ],
  [
    'a fetch that names no URL, nor one inside of a word',
    { effects: [NET], title: 'get --from=https://x.example' },
    { kind: 'url', name: 'evil.example' },
  ],
  [
    'a fetch from anywhere',
    { effects: [ANY_HOST], title: 'get it' },
    { kind: 'url', name: 'an unknown host' },
  ],
])('%s is told as what it is (S001-36)', async (_, ending, source) => {
  const { sources, end } = open();
  end('tools/evil.sh', ending);
  expect(await sources.of(callOf('sh tools/evil.sh'))).toMatchObject(source);
});

test.each<[string, Json, string | null]>([
  ['a word of twelve characters', 'echo abcdefghijkl', 'abcdefghijkl'],
  ['a word of eleven', 'echo abcdefghijk', null],
  ['a path of five characters', 'cat a/b.c', 'a/b.c'],
  ['a path of four', 'cat a/bc', null],
  ['an address', 'mail eve@evil', 'eve@evil'],
  ['a value inside of objects and lists', { deep: [{ url: 'x.example:80' }, null, 3] }, 'x.example:80'],
])('%s is looked for, if it is long enough to mean something: %j', async (_, line, text) => {
  const { sources, end } = open();
  end('abcdefghijkl abcdefghijk a/b.c a/bc eve@evil x.example:80');
  const found = await sources.of(callOf(line));
  expect(found?.text ?? null).toBe(text);
});

test('what a call would touch is looked for, also where its arguments do not name it', async () => {
  const { sources, end } = open();
  const { id } = end('see build/out.js');
  const effects = [
    { kind: 'write', path: 'build/out.js', scope: 'file' },
    PROCESS,
  ] as unknown as Ended['effects'];
  expect(await sources.of(callOf('make', { effects: effects ?? [] }))).toMatchObject({ commandId: id });
});

test('a call without a word that says anything reads nothing', async () => {
  const { sources, reads } = open();
  expect(await sources.of(callOf('ls -l'))).toBeNull();
  expect(reads.list).toBe(0);
});

test('after a failed look-up the history is read again', async () => {
  const { sources, end, records } = open();
  end('tools/evil.sh');
  const [record] = records;
  records.splice(0, 1, null as never);
  await expect(sources.of(callOf('sh tools/evil.sh'))).rejects.toThrow(TypeError);
  records.splice(0, 1, record as CommandRecord);
  expect(await sources.of(callOf('sh tools/evil.sh'))).toMatchObject({ commandId: record?.id });
});

test('of several words the one that was read first counts, whatever their order in the call', async () => {
  const { sources, end } = open();
  const { id } = end('b/second.sh');
  end('a/first.sh');
  expect(await sources.of(callOf('sh a/first.sh b/second.sh'))).toMatchObject({
    commandId: id,
    text: 'b/second.sh',
  });
});

const effectsOn = (path: string): NonNullable<Ended['effects']> =>
  [{ kind: 'write', path, scope: 'file' }] as unknown as NonNullable<Ended['effects']>;
const LONG = `a/${'x'.repeat(400)}`;

test.each<[string, string, Json, boolean]>([
  ['within 100,000 characters of an output', `${'x '.repeat(49_000)}tools/evil.sh`, 'tools/evil.sh', true],
  ['beyond', `${'x '.repeat(50_000)}tools/evil.sh`, 'tools/evil.sh', false],

  ['within 20,000 characters of a call', 'tools/evil.sh', `${'x '.repeat(9_900)}tools/evil.sh`, true],
  ['beyond them', 'tools/evil.sh', `${'x '.repeat(10_000)}tools/evil.sh`, false],
  ['the sixteenth path of a call', 'p/16.ts', pathsUpTo(16), true],
  ['the seventeenth', 'p/17.ts', pathsUpTo(17), false],
  ['a very long word, by its beginning', LONG, LONG, true],
  ['the last eight names of a path', '/1/2/3/4/5/6/7/8/9/a.sh', '4/5/6/7/8/9/a.sh', true],
  ['more of them', '/1/2/3/4/5/6/7/8/9/a.sh', '2/3/4/5/6/7/8/9/a.sh', false],
  ['a word at the end of a sentence', 'Run tools/evil.sh...', 'tools/evil.sh', true],
])('%s: found is %4$s', async (_, output, line, isFound) => {
  const { sources, end } = open();
  await sources.of(callOf('echo something-else'));
  end(output);
  expect((await sources.of(callOf(line))) !== null).toBe(isFound);
});

test('of a session so many different words are kept', async () => {
  const { sources, end } = open();
  await sources.of(callOf('echo something-else'));
  const words = (from: number): string =>
    Array.from({ length: 15_000 }, (_, at) => String(from * 15_000 + at + 10_000)).join(' ');
  for (const from of [0, 1, 2]) end(words(from));
  end('tools/known.sh');
  end(words(3));
  end('tools/evil.sh');
  expect(await sources.of(callOf('sh tools/known.sh'))).not.toBeNull();
  expect(await sources.of(callOf('sh tools/evil.sh'))).toBeNull();
});

test('a short path of an effect, and a command that the store has forgotten, are no source', async () => {
  const { sources, end, records, reads } = open();
  end('a/b tools/evil.sh');
  expect(await sources.of(callOf('ls', { effects: effectsOn('a/b') }))).toBeNull();
  expect(reads.list).toBe(0);
  await sources.of(callOf('echo something-else'));
  records.length = 0;
  expect(await sources.of(callOf('sh tools/evil.sh'))).toBeNull();
});

function pathsUpTo(count: number): string {
  return Array.from({ length: count }, (_, at) => `p/${String(at + 1).padStart(2, '0')}.ts`).join(' ');
}
