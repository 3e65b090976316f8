import { expect, test } from 'vitest';
import { startAgent } from '../../testing/agent.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

test('a path that is not there names the file that was meant, in any folder, and none that is hidden or denied', async () => {
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
    for (const path of ['server.md', 'notes.md', 'merger.md'])
      expect(await agent.call('read_file', { path })).not.toContain('Did you mean');
  } finally {
    await agent.leave();
  }
});
