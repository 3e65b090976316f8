import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageOut } from './page-out.ts';

const FLAGS = { color: 'auto', ascii: false, input: true } as const;
/** One row too many: the prompt takes the last one. */
const LONG = 'row\n'.repeat(24);

/** A terminal of 24 rows; `{seen}` in the pager's line is a file whose text is returned as `paged`. */
async function paged(
  pager: Readonly<Record<string, string>>,
  world: Readonly<{ text?: string; isTerminal?: boolean; mayAsk?: boolean }> = {},
) {
  const { text = LONG, isTerminal = true, mayAsk = true } = world;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pager-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const seen = join(folder, 'seen');
  const reported = { plain: '', deaf: 0, hears: 0 };
  const stream = isTerminal ? { isTTY: true, columns: 80, rows: 24 } : {};
  const env = Object.fromEntries(
    Object.entries(pager).map(([name, line]) => [name, line.replaceAll('{seen}', seen)]),
  );
  const host = {
    env: { PATH: process.env['PATH'], ...env },
    stdin: stream,
    stderr: stream,
    stdout: { ...stream, write: (more: string) => (reported.plain += more) },
    cwd: () => folder,
  };
  const ignoreInterrupts = (): (() => void) => {
    reported.deaf += 1;
    return () => (reported.hears += 1);
  };
  await pageOut({ text, fills: (rows) => text.split('\n').length > rows, ignoreInterrupts }, host, {
    ...FLAGS,
    input: mayAsk,
  });
  let found: string | null = null;
  try {
    found = readFileSync(seen, 'utf8');
  } catch {
    // No pager ran.
  }
  return { ...reported, paged: found };
}

test('a text longer than the screen goes through the user’s pager, which receives Ctrl-C meanwhile', async () => {
  const shown = { plain: '', deaf: 1, hears: 1, paged: LONG };
  expect(await paged({ PAGER: 'cat > {seen}' })).toEqual(shown);
  expect(await paged({ SIGNALBOX_PAGER: 'cat > {seen}', PAGER: 'false' })).toEqual(shown);
  expect(await paged({ PAGER: 'echo "$LESS" > {seen}' })).toMatchObject({ plain: '', paged: 'FRX\n' });
  expect(await paged({ PAGER: 'echo "$LESS" > {seen}', LESS: 'R' })).toMatchObject({ paged: 'R\n' });
});

test('a pager that quits early counts as success', async () => {
  const text = 'a row of some length\n'.repeat(50_000);
  expect(await paged({ PAGER: 'head -n 1 > {seen}' }, { text })).toMatchObject({
    plain: '',
    paged: 'a row of some length\n',
  });
});

test('the text is printed if the pager is missing or fails', async () => {
  for (const PAGER of ['signalbox-has-no-such-pager 2>/dev/null', 'exit 3', 'kill -9 $$']) {
    expect(await paged({ PAGER })).toEqual({ plain: LONG, deaf: 1, hears: 1, paged: null });
  }
  expect(await paged({ PATH: '/nowhere' })).toMatchObject({ plain: LONG });
});

test('no pager is used for a short text, without a terminal, with --no-input, or if the user wants none', async () => {
  const PAGER = 'cat > {seen}';
  const plain = { deaf: 0, paged: null };
  const short = 'row\n'.repeat(23);
  expect(await paged({ PAGER }, { text: short })).toMatchObject({ ...plain, plain: short });
  expect(await paged({ PAGER }, { isTerminal: false })).toMatchObject(plain);
  expect(await paged({ PAGER }, { mayAsk: false })).toMatchObject(plain);
  expect(await paged({ PAGER, TERM: 'dumb' })).toMatchObject(plain);
  expect(await paged({ PAGER, SIGNALBOX_PAGER: '' })).toMatchObject(plain);
  expect(await paged({ PAGER: 'cat' })).toMatchObject({ ...plain, plain: LONG });
});
