import { REPORT_FILE } from '@signalbox/core';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';

/** The line that is judged is another: only this one runs. */
const wanted = (line: string) => ({ report: { line, env: { REPORT_OPTIONS: 'ours' } } });

describe.each(['where-possible', 'off'] as const)('with transactions %s', (transactions) => {
  let harness: SandboxHarness;
  beforeAll(() => {
    harness = createHarness({ transactions });
    writeFileSync(join(harness.home, 'secret'), 'SECRET');
  });
  afterAll(() => harness.close());

  const reportOf = async (line: string) => (await harness.run('exit 9', wanted(line))).report;

  test('the report that a command wrote into its own /tmp is read, and is no file of the workspace (M6)', async () => {
    expect(await reportOf(`echo '{"a": "é"}' > ${REPORT_FILE}; exit 1`)).toEqual({
      kind: 'read',
      text: '{"a": "é"}\n',
    });
    expect(readdirSync(harness.workspace).filter((name) => name !== '.signalbox')).toEqual([]);
    expect(existsSync(REPORT_FILE)).toBe(false);
  });

  test('each command has its own report, and one that wants none has none', async () => {
    expect(await reportOf('true')).toEqual({ kind: 'none', why: 'none was written' });
    expect((await harness.run(`echo x > ${REPORT_FILE}`)).report).toBeUndefined();
  });

  test('a variable for the report comes after its own value', async () => {
    const printed = async (env: Readonly<Record<string, string>>) =>
      (await harness.run('', { ...wanted('echo $REPORT_OPTIONS'), env })).stdout.text;
    expect(await printed({})).toBe('ours\n');
    expect(await printed({ REPORT_OPTIONS: 'theirs' })).toBe('theirs ours\n');
  });

  test.each([
    ['a link to a file of this machine', `ln -s /etc/passwd ${REPORT_FILE}`, 'it is a link'],
    ['a link to a file that it can not read', `ln -s ../home/secret ${REPORT_FILE}`, 'it is a link'],
    ['a folder', `mkdir ${REPORT_FILE}`, 'it is not a file'],
    ['a pipe', `mkfifo ${REPORT_FILE}`, 'it is not a file'],
    ['too large a file', `truncate -s 5M ${REPORT_FILE}`, 'it is larger than 4194304 bytes'],
  ])('%s is not read, and does not hold up the command', async (_name, line, why) => {
    expect(await reportOf(line)).toEqual({ kind: 'none', why });
  });

  test('a folder in the place of /tmp is not followed', async () => {
    // It may only mount in a namespace of its own, which its sandbox does not share.
    const line = `unshare --user --map-root-user --mount sh -c 'mount --bind /etc /tmp' 2>/dev/null; mv /tmp /gone 2>/dev/null; true`;
    expect(await reportOf(line)).toEqual({ kind: 'none', why: 'none was written' });
  });
});

test('without a sandbox no report is written: its /tmp is everybody’s', async () => {
  const harness = createHarness({ confinement: 'off-by-operator' });
  try {
    const ran = await harness.run('echo plain', wanted(`echo x > ${REPORT_FILE}`));
    expect(ran.report).toBeUndefined();
    expect(ran.stdout.text).toBe('plain\n');
    expect(existsSync(REPORT_FILE)).toBe(false);
  } finally {
    await harness.close();
  }
});
