import { expect, test } from 'vitest';
import { ServiceAddress } from './sandbox-settings.ts';

test.each(['127.0.0.1:5432', 'localhost:6379', '[::1]:3306'])(
  '%s is a service of this machine',
  (written) => {
    expect(ServiceAddress.safeParse(written).success).toBe(true);
  },
);

test.each([
  '10.0.0.1:5432',
  'db.example:5432',
  '127.0.0.1',
  '127.0.0.1:0',
  '127.0.0.1:*',
  'localhost:99999',
  '',
])('%j is not a service address', (written) => {
  expect(ServiceAddress.safeParse(written).success).toBe(false);
});
