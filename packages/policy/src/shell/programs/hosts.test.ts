import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';
import { hostOf } from '../host-of.ts';

function hostsIn(line: string): readonly (string | undefined)[] {
  return classifyLine(line, { cwd: '/repo' }).effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host] : [],
  );
}

test.each([
  ['curl https://Example.COM./a', ['example.com']],
  ['curl http://0x7f.1:80/', ['127.0.0.1:80']],
  ["curl 'http://[::1]:3000/a'", ['[::1]:3000']],
  ['curl https://bücher.example', ['xn--bcher-kva.example']],
  ['git fetch git@github.com:a/b', ['github.com', undefined]],
  ['ssh ana@web1.example', ['web1.example', undefined]],
  ['curl "https://evil.example\\\\@good.example/"', [undefined]],
  ['curl https://a@evil.example@good.example/', [undefined]],
  ['curl "https://good.example#@evil.example/"', ['good.example']],
  ['curl "https://good.example$x/"', [undefined]],
  ['curl https://good.example:x/', [undefined]],
])('%j talks to the host that the gate would see, or to an unknown one (T-B1)', (line, hosts) => {
  expect(new Set(hostsIn(line))).toEqual(new Set(hosts));
});

test('an unclosed bracket is no host', () => {
  expect([hostOf('https://[::1/a'), hostOf('host:80/a'), hostOf('')]).toEqual([undefined, 'host', undefined]);
});

test('no rule parses hosts by its own expression (T-B1)', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const own = sources.filter((name) =>
    /kind: 'network',\s*host/.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  expect(own).toEqual([]);
});
