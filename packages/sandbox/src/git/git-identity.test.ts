import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitIdentityOf } from './git-identity.ts';

test('a name comes from the user, then from the machine, unless GIT_CONFIG_NOSYSTEM is on', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-identity-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [own, machine] = [join(folder, 'own'), join(folder, 'machine')];
  writeFileSync(own, '[user]\n\tname = Ana\n');
  writeFileSync(machine, '[user]\n\tname = Machine\n\temail = machine@localhost\n');
  const env = { PATH: process.env['PATH'], GIT_CONFIG_SYSTEM: machine };
  const of = (more: Readonly<Record<string, string>>) => gitIdentityOf(folder, { ...env, ...more });

  const ofMachine = { name: 'Machine', email: 'machine@localhost' };
  const ofNobody = { name: 'Signalbox', email: 'signalbox@localhost' };
  expect(await of({})).toEqual(ofMachine);
  expect(await of({ GIT_CONFIG_GLOBAL: own })).toEqual({ ...ofMachine, name: 'Ana' });
  for (const off of ['', '0', 'false', 'no'])
    expect(await of({ GIT_CONFIG_NOSYSTEM: off })).toEqual(ofMachine);
  for (const on of ['1', '01', 'true', 'Yes', 'on'])
    expect(await of({ GIT_CONFIG_NOSYSTEM: on })).toEqual(ofNobody);
  expect(await of({ GIT_CONFIG_GLOBAL: own, GIT_CONFIG_NOSYSTEM: '1' })).toEqual({
    ...ofNobody,
    name: 'Ana',
  });
});
