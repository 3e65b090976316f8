import { expect, test } from 'vitest';
import { startAgent } from '../../testing/agent.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

test('write_file names an alternative for a folder, and a listing reports what it leaves out', async () => {
  await using own = await openTestServer({ files: { 'src/a.ts': 'a', '.env': 'X=1', 'secrets/b': 'b' } });
  const agent = await startAgent(own.of.workspace, 'openai');
  try {
    for (const more of [{}, { overwrite: false }])
      expect(await agent.call('write_file', { path: 'src', content: 'x', ...more })).toMatch(
        /Cannot write "src": it is a folder\. Nothing was written[^]*Give the path of a file in it, such as src\/NAME; signalbox_list_directory shows/,
      );
    expect(await agent.call('list_directory', {})).toMatch(
      /\[\d entries not shown: reading them is denied \(secrets, [^]*Your user can look at them in a terminal/,
    );
  } finally {
    await agent.leave();
  }
});

test('a missing path names the file that was meant, in any folder, but none that is hidden or denied', async () => {
  const files = {
    'src/app/cart.ts': 'export {};\n',
    'secrets/server.md': 'secret\n',
    '.config/notes.md': 'hidden\n',
    'plans/merger.md': 'not for this provider\n',
  };
  const settings = { providers: { openai: { sandbox: { deny_read: ['plans/**'] } } } };
  await using own = await openTestServer({ files, settings });
  const agent = await startAgent(own.of.workspace, 'openai');
  try {
    for (const path of ['src/cart.ts', 'app/cart.ts', 'cart.ts'])
      expect(await agent.call('read_file', { path })).toContain('Did you mean src/app/cart.ts?');
    const edit = { path: 'app/cart.ts', oldText: 'a', newText: 'b' };
    expect(await agent.call('edit_file', edit)).toContain('Did you mean src/app/cart.ts?');
    expect(await agent.call('list_directory', { path: 'app' })).toContain('Did you mean src/app?');
    expect(await agent.call('search_files', { pattern: 'x', path: 'src/cart.ts' })).toContain(
      'Did you mean src/app/cart.ts?',
    );
    expect(await agent.call('search_files', { pattern: 'x', path: 'app' })).toContain(
      'Did you mean src/app?',
    );
    expect(await agent.call('delete_file', { path: 'app/cart.ts' })).toContain(
      'Did you mean src/app/cart.ts?',
    );
    expect(await agent.call('git_add', { paths: ['src/cart.ts'] })).toMatch(
      /Cannot stage "src\/cart\.ts": there is no such file, and git tracks none[^]*Did you mean src\/app\/cart\.ts\?/,
    );
    expect(await agent.call('git_commit', { message: 'x', paths: ['src/app/catr.ts'] })).toMatch(
      /Cannot commit "src\/app\/catr\.ts"[^]*Did you mean src\/app\/cart\.ts\?/,
    );
    for (const path of ['server.md', 'notes.md', 'merger.md'])
      expect(await agent.call('read_file', { path })).not.toContain('Did you mean');
  } finally {
    await agent.leave();
  }
});
