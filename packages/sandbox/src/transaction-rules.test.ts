import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId, Execution, ExecutionHooks } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from './files/file-on-disk.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';

describe('a transaction under rules', () => {
  let harness: SandboxHarness;
  afterEach(() => harness.close());

  const at = (path: string): string => join(harness.workspace, path);
  const put = (path: string, text: string): void => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  const textAt = (path: string): string | null =>
    existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null;
  const run = (
    line: string,
    {
      hooks = {},
      commandId = aCommandId(),
    }: Readonly<{ hooks?: Partial<ExecutionHooks>; commandId?: CommandId }> = {},
  ): Promise<Execution> => harness.run(line, { commandId }, hooks);

  test('rolls back only paths in scope (S001-104)', async () => {
    const isInScope = (path: string): boolean => path.startsWith('src/');
    harness = createHarness({ transactions: 'required', transactionRules: { rollBackOn: [1], isInScope } });
    put('src/a', 'old');
    const line = 'echo new > src/a; mkdir -p src/d log; echo x > src/d/f; echo x > log/f; exit 1';
    const done = await run(line);
    expect(done).toMatchObject({ rolledBack: true, changes: [{ path: 'log/f', kind: 'created' }] });
    expect([textAt('src/a'), existsSync(at('src/d')), textAt('log/f')]).toEqual(['old', false, 'x\n']);
  });

  test('cannot move or replace a folder that contains an unreadable file', async () => {
    harness = createHarness({ transactions: 'required', isDenied: (path) => path === 'app/private' });
    const profile = { isDenied: (path: string): boolean => path === 'app/deep/own' };
    put('app/private', 'hidden');
    put('app/deep/own', 'hidden');
    put('app/open', 'open');
    for (const line of [
      'mv app moved',
      'mv app/deep moved',
      'mv app moved; mkdir -p app/deep; touch app/private app/deep/own',
    ]) {
      const done = await run(line, { hooks: profile });
      expect([textAt('moved/private'), textAt('moved/deep/own'), textAt('moved/own')]).toEqual([
        null,
        null,
        null,
      ]);
      expect([textAt('app/private'), textAt('app/deep/own')]).toEqual(['hidden', 'hidden']);
      // Without root, `mv` itself fails.
      expect(done.ended.kind === 'refused' ? done.ended.why.join() : done.stderr.text).toMatch(
        /hidden by policy|Permission denied/,
      );
    }
    expect(
      (await run('rm app/open; rmdir app/deep; mkdir node_modules', { hooks: profile })).changes,
    ).toMatchObject([{ path: 'app/open', kind: 'deleted' }]);
  });

  test('is rejected entirely when it replaces more than the bound (S001-106, S001-111)', async () => {
    harness = createHarness({ transactions: 'required', transactionRules: { maxReplacedBytes: 10 } });
    put('d/long', '0123456789+');
    put('short', '0123456789');
    expect(await run('echo much more than that > new; echo x > short')).toMatchObject({
      ended: { kind: 'exited' },
    });
    for (const line of ['echo x > d/long', 'rm -r d']) {
      expect((await run(line)).ended).toMatchObject({ kind: 'refused', code: 'snapshot_failed' });
    }
    expect(textAt('d/long')).toBe('0123456789+');
    const byPerson = await harness.run(
      'echo x > d/long',
      { commandId: aCommandId(), replacesAnySize: true },
      {},
    );
    expect(byPerson.changes).toMatchObject([{ path: 'd/long', kind: 'modified' }]);
  });

  describe('merged with changes of others', () => {
    const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    beforeEach(() => {
      harness = createHarness({ transactions: 'required', transactionRules: { onConflict: 'merge' } });
      put('a', LINES);
    });
    const after = (others: () => unknown): Partial<ExecutionHooks> => ({
      mayCommit: async () => (await others(), { kind: 'ok' }),
    });

    test('has both changes when they are in different lines, and reports it', async () => {
      const theirs = after(() =>
        run('sed -i s/9/theirs/ a; sed -i s/8/too/ a', { hooks: {}, commandId: aCommandId('t') }),
      );
      const done = await run('sed -i s/1/mine/ a; echo x > b', { hooks: theirs });
      expect(done).toMatchObject({ ended: { kind: 'exited', exitCode: 0 }, merged: ['a'] });
      expect(textAt('a')).toBe('mine\n2\n3\n4\n5\n6\n7\ntoo\ntheirs\n');
      // Counted against the file as it was at the commit.
      const lines = { linesAdded: 1, linesRemoved: 1 };
      const hash = hashOf(textAt('a') ?? '');
      expect(done.changes).toContainEqual({ path: 'a', kind: 'modified', hash, ...lines });
      expect(textAt('b')).toBe('x\n');
    });

    test.for([
      [
        'the same lines to the same',
        () => run('sed -i s/1/mine/ a', { hooks: {}, commandId: aCommandId('t') }),
      ],
      ['the same lines', () => run('sed -i s/1/theirs/ a', { hooks: {}, commandId: aCommandId('t') })],
      ['it by hand', () => put('a', LINES.replace('9', 'theirs'))],
      ['it to no text', () => run('head -c 9 /dev/zero > a', { hooks: {}, commandId: aCommandId('t') })],
      ['it away', () => run('rm a', { hooks: {}, commandId: aCommandId('t') })],
    ] as const)('ends in a conflict when others changed %s', async ([, others]) => {
      const done = await run('sed -i s/1/mine/ a; echo x > b', { hooks: after(others) });
      expect(done.ended).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'a' }] });
      expect(textAt('b')).toBeNull();
      expect(textAt('a') ?? '').not.toMatch(/mine[^]*mine/);
    });
  });
});
