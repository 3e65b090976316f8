import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive, startedAt } from '../process-tree/process-tree.ts';
import { SUPERVISOR_ARGV } from './supervisor-script.ts';

let supervisor: ChildProcessByStdio<Writable, Readable, null>;
let answers: AsyncIterator<string>;
let victims: ReturnType<typeof spawn>[];

beforeEach(() => {
  const [program, ...args] = SUPERVISOR_ARGV;
  supervisor = spawn(program, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  answers = createInterface(supervisor.stdout)[Symbol.asyncIterator]();
  victims = [];
});

afterEach(() => {
  for (const process of [supervisor, ...victims]) process.kill('SIGKILL');
});

const answer = async (): Promise<string> => ((await answers.next()).value as string).replace(/ \d+$/, '');
const say = (text: string): boolean => supervisor.stdin.write(text);

function aProcess(): number {
  const victim = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  victims.push(victim);
  return victim.pid ?? 0;
}

const nowMs = (): number => Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
const FAR = Math.floor(nowMs()) + 3_600_000;

test('an unread renewal counts, even if the term is over', async () => {
  const pid = aProcess();
  say(`watch 1 0 ${pid}:${startedAt(pid)}\nrenew 1 ${FAR}\nleave 1\n`);
  expect(await answer()).toBe('left');
  expect(isAlive(pid)).toBe(true);
});

test('a line that arrives in two pieces, with a check in between, is read whole', async () => {
  const [spared, killed] = [aProcess(), aProcess()];
  say(`watch 1 ${FAR} ${spared}:${startedAt(spared)}\nwatch 2 0 ${killed}:${startedAt(killed)}\nlea`);
  expect(await answer()).toBe('killed 2');
  say('ve 1\n');
  expect(await answer()).toBe('left');
});

test('kills the named process, and no other with its pid', async () => {
  const [other, named] = [aProcess(), aProcess()];
  const dead = once(victims[1] ?? supervisor, 'exit');
  say(`watch 1 0 ${other}:1 ${named}:${startedAt(named)}\n`);
  expect(await answer()).toBe('killed 1');
  expect(await dead).toEqual([null, 'SIGKILL']);
  expect(isAlive(other)).toBe(true);
});

test('removes only the folders it was told to tidy when its input ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  for (const name of ['a-1', 'a-2', 'b-1']) mkdirSync(join(folder, name));
  const ended = once(supervisor, 'exit');
  say(`tidy ${folder}/a- ${folder}/none-\n`);
  supervisor.stdin.end();
  await ended;
  expect(readdirSync(folder)).toEqual(['b-1']);
  rmSync(folder, { recursive: true });
});

test('kills everything it watches when its input ends', async () => {
  const pid = aProcess();
  const dead = once(victims[0] ?? supervisor, 'exit');
  say(`watch 1 ${FAR} ${pid}:${startedAt(pid)}\n`);
  supervisor.stdin.end();
  expect(await answer()).toBe('killed 1');
  expect(await dead).toEqual([null, 'SIGKILL']);
});
