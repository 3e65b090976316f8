import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

test('a file that a line or a tool writes keeps its extended attributes and its access list (R-B8)', async () => {
  await using own = await openTestRuntime({
    files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'large.txt': 'x'.repeat(300_000), 'empty.txt': 'x\n' },
  });
  const { workspace } = own;
  const names = ['a.txt', 'b.txt', 'large.txt', 'empty.txt'];
  for (const name of names) attributes(join(workspace, name), 'set');
  const line = 'echo two >> a.txt; echo more >> large.txt; : > empty.txt; chmod 440 a.txt';
  expect(await own.call('openai', 'bash', { line })).toMatchObject({ success: true });
  await own.call('openai', 'read_file', { path: 'b.txt' });
  expect(await own.call('openai', 'write_file', { path: 'b.txt', content: 'two\n' })).toMatchObject({
    success: true,
  });
  for (const name of names) {
    const { note, group } = attributes(join(workspace, name), 'get');
    expect([name, note, group]).toEqual([name, 'kept', 'one may write']);
  }
  expect(own.read('a.txt')).toBe('one\ntwo\n');
  expect((statSync(join(workspace, 'a.txt')).mode & 0o777).toString(8)).toBe('440');
  expect(own.read('empty.txt')).toBe('');
});

test('a file with two existing names is committed as one', async () => {
  await using own = await openTestRuntime({ files: { a: 'one\n', b: 'two\n' } });
  expect(await own.call('openai', 'bash', { line: 'rm b; echo x > a; ln a b' })).toMatchObject({
    success: true,
  });
  expect([own.read('a'), own.read('b')]).toEqual(['x\n', 'x\n']);
  expect(statSync(join(own.workspace, 'a')).nlink).toBe(2);
});

test.runIf(process.getuid?.() === 0)(
  'privileges of a program beyond its user’s are not kept when a line writes it',
  async () => {
    await using own = await openTestRuntime({ files: { tool: 'one\n' } });
    const path = join(own.workspace, 'tool');
    python(
      `import os; os.setxattr(${JSON.stringify(path)}, 'security.capability', bytes.fromhex('0100000200040000000000000000000000000000'))`,
    );
    expect(python(LIST, path)).toContain('security.capability');
    expect(await own.call('openai', 'bash', { line: 'echo two > tool' })).toMatchObject({ success: true });
    expect(python(LIST, path)).not.toContain('security.capability');
  },
);

const LIST = 'import os, sys; print(os.listxattr(sys.argv[1]))';
const OWN = Buffer.alloc(4);
OWN.writeUInt32LE(process.getuid?.() ?? 0);
const USER = `02000600${OWN.toString('hex')}`;
/** `user::rw-,user:OWN:rw-,group::r--,mask::rw-,other::r--`, as the kernel keeps it. */
const ACCESS = `0200000001000600ffffffff${USER}04000400ffffffff10000600ffffffff20000400ffffffff`;

function attributes(path: string, deed: 'get' | 'set'): { readonly note: string; readonly group: string } {
  const setting = `os.setxattr(p, 'user.note', b'kept'); os.setxattr(p, 'system.posix_acl_access', bytes.fromhex('${ACCESS}'))`;
  const getting = `
names = os.listxattr(p)
note = os.getxattr(p, 'user.note').decode() if 'user.note' in names else 'gone'
acl = os.getxattr(p, 'system.posix_acl_access').hex() if 'system.posix_acl_access' in names else ''
print(note, 'one may write' if '${USER}' in acl else 'nobody', sep='|')`;
  const said = python(`import os, sys\np = sys.argv[1]\n${deed === 'set' ? setting : getting}`, path);
  const [note = '', group = ''] = said.trim().split('|');
  return { note, group };
}

function python(script: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync('python3', ['-c', script, ...args], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}
