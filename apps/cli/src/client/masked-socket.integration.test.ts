import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestServer } from '../testing/open-test-server.ts';

/** The path is split, so that no rule about names stops the line. */
const CONNECT = `node -e "
const path = process.cwd() + '/.sig' + 'nalbox/run/coordinator.sock';
require('net').connect(path).on('connect', () => console.log('IN')).on('error', (e) => console.log('kept out', e.code));
try { console.log(require('fs').readdirSync(process.cwd() + '/.sig' + 'nalbox/run')); } catch (e) { console.log('not seen', e.code); }
"`;

test.for([
  ['overlay', {}],
  ['overlay, with the whole network', { sandbox: { network: { commands: 'all' } } }],
  ['bind', { tools: { shell: { transactional: false } } }],
  [
    'bind, with the whole network',
    { tools: { shell: { transactional: false } }, sandbox: { network: { commands: 'all' } } },
  ],
] as const)('no command reaches the socket of its coordinator: %s', async ([, settings]) => {
  await using server = await openTestServer({
    settings: { approval: { approval_mode: 'allow_all' }, ...settings },
  });
  expect(existsSync(join(server.of.workspace, '.signalbox/run/coordinator.sock'))).toBe(true);
  const done = await server.of.call('claude', 'bash', { line: CONNECT });
  expect(done.stdout).toContain('kept out');
  expect(done.stdout).not.toContain('IN');
  expect(done.stdout).not.toContain('coordinator');
});
