import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { refuseSystem, refuseWhole } from './refuse-whole.ts';

const ENV = { HOME: '/home/ana' };

test.for([
  ['/', 'it is the whole machine'],
  ['/usr/lib', 'it belongs to the operating system'],
  ['/proc/self', 'it belongs to the operating system'],
  ['/dev/shm', 'it belongs to the operating system'],
  ['/etc', 'programs and other accounts use it, too'],
  ['/usr', 'programs and other accounts use it, too'],
  ['/tmp', 'programs and other accounts use it, too'],
])('%s is not led: %s', ([folder = '', why]) => {
  for (const refuse of [refuseWhole, refuseSystem]) {
    expect(() => refuse(folder, ENV)).toThrow(
      expect.objectContaining({
        code: 'not-a-workspace',
        message: `Cannot work in "${folder}": ${why}`,
      }),
    );
  }
});

test.for(['/dev/shm/mine', '/etc/nginx', '/usr/src/app', '/opt', '/srv', '/library', '/tmp/mine'])(
  '%s may be led',
  (folder) => {
    for (const refuse of [refuseWhole, refuseSystem]) expect(() => refuse(folder, ENV)).not.toThrow();
  },
);

test('home is led only if the user made it a workspace, also where it is root’s', () => {
  const home = ownWorkspace();
  expect(() => refuseWhole(home, { HOME: home })).toThrow(
    expect.objectContaining({
      message: `Cannot work in "${home}": it is your home folder`,
      next: expect.arrayContaining([`signalbox init ${home}   if you mean all of it`]),
    }),
  );
  refuseSystem('/root', { HOME: '/root' });
  mkdirSync(join(home, '.signalbox'));
  refuseWhole(home, { HOME: home });
});

test('init takes a home folder only by its name, and no system folder', async () => {
  const home = ownWorkspace();
  const { signalbox } = createTestTerminal(home, { env: { HOME: home } });
  expect(await signalbox('init', '--print')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('it is your home folder'),
  });
  expect(await signalbox('init', '--print', home)).toMatchObject({ exit: 0 });
  expect(await signalbox('init', '--print', '/etc')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('programs and other accounts use it, too'),
  });
  expect((await signalbox('doctor')).out).toContain(`Cannot work in "${home}": it is your home folder`);
});
