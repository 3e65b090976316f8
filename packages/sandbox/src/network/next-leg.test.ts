import { expect, test } from 'vitest';
import { headersForNextLeg } from './proxy.ts';

test('hop-by-hop headers, and those that Connection names, are not forwarded', () => {
  const raw = [
    ['Accept', '*/*'],
    ['Host', 'a'],
    ['Proxy-Authorization', 'secret'],
    ['X-Mine', '1'],
    ['connection', 'x-mine, close'],
    ['Keep-Alive', '5'],
    ['Upgrade', 'websocket'],
    ['Set-Cookie', 'a'],
    ['Set-Cookie', 'b'],
  ].flat();
  expect(headersForNextLeg(raw)).toEqual(['Accept', '*/*', 'Set-Cookie', 'a', 'Set-Cookie', 'b']);
});
