import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const PATH = 'src/a.ts';
const CONTENTS = ['one\n', 'two\n', 'six\n'];
const FREE = { approval: { approval_mode: 'allow_all' } } as const;

type Step = (own: TestRuntime) => Promise<void> | void;

/** Changes by an editor that keep the size and set the modification time back, by a tool and by a shell line. */
const CHANGES: Readonly<Record<string, (content: string) => Step>> = {
  edits: (content) => (own) => {
    const at = join(own.workspace, PATH);
    writeFileSync(at, content);
    utimesSync(at, 1_000_000, 1_000_000);
  },
  replaces: (content) => (own) => {
    const at = join(own.workspace, PATH);
    writeFileSync(`${at}~`, content);
    utimesSync(`${at}~`, 1_000_000, 1_000_000);
    renameSync(`${at}~`, at);
  },
  removes: () => (own) => rmSync(join(own.workspace, PATH), { force: true }),
  links: (content) => (own) => {
    const at = join(own.workspace, PATH);
    writeFileSync(join(own.workspace, 'src/other.ts'), content);
    rmSync(at, { force: true });
    symlinkSync('other.ts', at);
  },
  chmods: () => (own) => {
    const at = join(own.workspace, PATH);
    if (existsSync(at) && !lstatSync(at).isSymbolicLink()) chmodSync(at, 0o600);
  },
  shell: (content) => async (own) => {
    await own.call('codex', 'bash', { line: `rm -f ${PATH} && printf '${content.trim()}\\n' > ${PATH}` });
  },
};

/** The answer to a read has to be the file at that moment, whoever asks. */
function reads(provider: string): Step {
  return async (own) => {
    const at = join(own.workspace, PATH);
    const now = existsSync(at) ? readFileSync(at, 'utf8') : null;
    const { success, output } = await own.call(provider, 'read_file', { path: PATH });
    expect([success, success ? output : null]).toEqual([now !== null, now]);
    const listed = await own.call(provider, 'list_directory', { path: 'src' });
    expect(listed.content.includes('a.ts')).toBe(now !== null);
  };
}

test('no order of changes and reads, by whomever, gives an answer that is out of date (O1, X-31)', async () => {
  await using own = await openTestRuntime({ files: { [PATH]: 'one\n', 'src/b.ts': '' }, settings: FREE });
  const change = fc
    .tuple(fc.constantFrom(...Object.values(CHANGES)), fc.constantFrom(...CONTENTS))
    .map(([make, content]) => make(content));
  const read = fc.constantFrom('openai', 'anthropic').map(reads);
  const steps = fc.array(fc.oneof({ arbitrary: change, weight: 1 }, { arbitrary: read, weight: 2 }), {
    minLength: 5,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      for (const step of all) await step(own);
    }),
    { numRuns: 12, seed: 7, endOnFailure: true },
  );
});

test('a provider that may not read a file gets no answer of one that may (S003-80)', async () => {
  const settings = { ...FREE, providers: { anthropic: { sandbox: { deny_read: [PATH] } } } };
  await using own = await openTestRuntime({ files: { [PATH]: 'secret\n' }, settings });
  for (;;) {
    const { reusedFrom } = await own.call('openai', 'read_file', { path: PATH });
    if (reusedFrom !== undefined) break;
  }
  const denied = await own.call('anthropic', 'read_file', { path: PATH });
  expect([denied.success, denied.content.includes('secret')]).toEqual([false, false]);
  const listed = await own.call('anthropic', 'list_directory', { path: 'src' });
  expect(listed.content).not.toContain('a.ts');
});

test('nothing is used again after a restart (S001-85)', async () => {
  await using own = await openTestRuntime({ files: { [PATH]: 'one\n' }, settings: FREE });
  for (;;) {
    const { reusedFrom } = await own.call('openai', 'read_file', { path: PATH });
    if (reusedFrom !== undefined) break;
  }
  await own.leave();
  await using next = await openTestRuntime({ workspace: own.workspace, settings: FREE });
  expect((await next.call('openai', 'read_file', { path: PATH })).reusedFrom).toBeUndefined();
});

test('a change earlier in the same turn is seen by a read after it', async () => {
  await using own = await openTestRuntime({ files: { [PATH]: 'one\n' }, settings: FREE });
  for (;;) {
    const { reusedFrom } = await own.call('openai', 'read_file', { path: PATH });
    if (reusedFrom !== undefined) break;
  }
  const write = own.submit('openai', 'write_file', { args: { path: PATH, content: 'two\n' } });
  const read = own.submit('openai', 'read_file', { args: { path: PATH } });
  const later = own.submit('openai', 'write_file', { args: { path: 'src/b.ts', content: 'x\n' } });
  expect((await write.result).success).toBe(true);
  expect((await read.result).output).toBe('two\n');
  expect((await later.result).success).toBe(true);
});
