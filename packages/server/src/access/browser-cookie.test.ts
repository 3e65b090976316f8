import { expect, test } from 'vitest';
import { cookieNameOf } from './browser-cookie.ts';

test('the cookie of each port of a host has its own name, since browsers send all of them to every port', () => {
  const nameAt = (host: string): string => cookieNameOf({ headers: { host } });
  expect(nameAt('127.0.0.1:4180')).toBe('signalbox-4180');
  expect(nameAt('[::1]:4181')).toBe('signalbox-4181');
  expect(nameAt('box.example')).toBe('signalbox');
  expect(nameAt('[::1]')).toBe('signalbox');
});
