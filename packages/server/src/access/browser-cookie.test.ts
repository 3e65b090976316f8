import { expect, test } from 'vitest';
import { cookieNameOf } from './browser-cookie.ts';

test('each port of a host has its own cookie name, since browsers send every cookie to every port', () => {
  const nameAt = (host: string): string => cookieNameOf({ headers: { host } });
  expect(nameAt('127.0.0.1:4180')).toBe('signalbox-4180');
  expect(nameAt('[::1]:4181')).toBe('signalbox-4181');
  expect(nameAt('box.example')).toBe('signalbox');
  expect(nameAt('[::1]')).toBe('signalbox');
});
