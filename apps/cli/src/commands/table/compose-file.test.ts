import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../program/parse-command-line.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8');

type Service = {
  readonly command: readonly string[];
  readonly image: string;
  readonly user?: string;
  readonly depends_on?: object;
};

const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const ours = Object.entries(services).filter(([, { image }]) => image === 'signalbox');

test('every service of ours in docker-compose.yml is a valid command line of the program (U-03)', () => {
  expect(ours.map(([name]) => name)).toEqual(['coordinator', 'worker']);
  for (const [, { command }] of ours) expect(parseCommandLine([...command]).kind).toBe('run');
});

test('no service of ours runs as root, and each waits for what it needs', () => {
  for (const [, { user, depends_on: needs }] of ours) {
    expect(user).toMatch(/1000:1000/);
    expect(Object.values(needs ?? {})).toEqual([{ condition: 'service_healthy' }]);
  }
  expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/m);
});

test('Redis is durable as promised: its append-only file is on, and nothing is evicted', () => {
  const { command = [] } = services['redis'] ?? {};
  expect(command.join(' ')).toContain(
    '--appendonly yes --appendfsync everysec --maxmemory-policy noeviction',
  );
});
