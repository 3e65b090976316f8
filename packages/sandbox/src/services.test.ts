import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Service, ServiceRequest } from '@signalbox/core';
import { expect, test, vi } from 'vitest';
import type { ExecutorOptions } from './executor-options.ts';
import { createStage, type Stage } from './fixtures/stage.ts';
import { systemClock } from './fixtures/system-clock.ts';
import { createServices } from './services.ts';

type Said = { readonly service: Service; readonly output: () => string; readonly error: () => string };

async function start(
  { optionsJson }: Stage,
  line: string,
  changes: Partial<ServiceRequest> = {},
): Promise<Said> {
  const options = JSON.parse(optionsJson) as Omit<ExecutorOptions, 'clock'>;
  const service = await createServices({ ...options, clock: systemClock }).start({
    argv: ['/bin/bash', '-c', line],
    cwd: '.',
    env: {},
    confined: true,
    workspace: 'read',
    network: false,
    ...changes,
  });
  let [output, error] = ['', ''];
  service.listen(
    (chunk) => (output += Buffer.from(chunk).toString()),
    (chunk) => (error += Buffer.from(chunk).toString()),
  );
  return { service, output: () => output, error: () => error };
}

test('a program answers on its standard output what it is told on its input, until it is stopped', async () => {
  const stage = createStage();
  const { service, output } = await start(stage, 'while read -r line; do echo "got $line"; done');
  service.write('one\n');
  await vi.waitFor(() => expect(output()).toBe('got one\n'));
  service.write('two\n');
  await vi.waitFor(() => expect(output()).toBe('got one\ngot two\n'));
  await service.stop();
  expect(await service.ended).toBe('exited with code 0');
  await stage.close();
});

test('a confined program reads the workspace without its secrets, and writes nothing', async () => {
  const stage = createStage();
  writeFileSync(`${stage.workspace}/.env`, 'KEY=secret\n');
  writeFileSync(`${stage.workspace}/a.txt`, 'hello\n');
  const look = `cat a.txt; cat .env; touch b.txt; ls .signalbox; cat /proc/net/dev | wc -l; echo done`;
  const { service, output, error } = await start(stage, look);
  await service.ended;
  await vi.waitFor(() => expect(output()).toMatch(/^hello\n\d+\ndone\n$/));
  // Only the loopback of a network of its own, below two lines of heading.
  expect(output()).toContain('\n3\n');
  expect(error()).toMatch(/\.env: Permission denied[^]*b\.txt.*Read-only file system/);
  await stage.close();
});

test('a confined program sees as much of the workspace as it was given', async () => {
  const stage = createStage();
  writeFileSync(`${stage.workspace}/a.txt`, 'hello\n');
  const none = await start(stage, `ls -A ${stage.workspace}; echo done`, { workspace: 'none' });
  const write = await start(stage, 'echo new > b.txt', { workspace: 'write' });
  await Promise.all([none.service.ended, write.service.ended]);
  await vi.waitFor(() => expect(none.output()).toBe('done\n'));
  expect(readFileSync(`${stage.workspace}/b.txt`, 'utf8')).toBe('new\n');
  await stage.close();
});

test('a program gets the variables that it was given and none of ours', async () => {
  const stage = createStage();
  vi.stubEnv('OURS', 'secret');
  const { service, output } = await start(stage, 'echo "$GIVEN,$OURS"', { env: { GIVEN: 'yes' } });
  await service.ended;
  await vi.waitFor(() => expect(output()).toBe('yes,\n'));
  vi.unstubAllEnvs();
  await stage.close();
});

test.for([true, false])(
  'a program that ignores the end of its input and TERM is killed, confined: %s',
  async (confined) => {
    const stage = createStage();
    const line = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    const { service, output } = await start(stage, line, { confined });
    await vi.waitFor(() => expect(output()).toBe('ready\n'));
    await service.stop();
    // Bubblewrap takes all that is in it along.
    expect(await service.ended).toBe(`was ended by ${confined ? 'SIGTERM' : 'SIGKILL'}`);
    await stage.close();
  },
);

test('a folder that leads out of the workspace starts nothing, and a missing program says so', async () => {
  const stage = createStage();
  mkdirSync(`${stage.workspace}/sub`);
  await expect(start(stage, 'true', { cwd: '..' })).rejects.toThrow('it leads out of the workspace');
  await expect(start(stage, 'true', { cwd: 'missing' })).rejects.toThrow('there is no such folder');
  const { service } = await start(stage, '', { argv: ['/no/such/program'], confined: false, cwd: 'sub' });
  expect(await service.ended).toContain('could not be started');
  await stage.close();
});
