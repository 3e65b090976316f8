import { expect, test } from 'vitest';
import { TOKEN } from '../../client/named-server.ts';
import { REDIS_URL } from '../workspace/redis-address.ts';
import { environmentSettings } from './environment-settings.ts';

test('connection variables are not settings', () => {
  const env = { [TOKEN]: 'x', [REDIS_URL]: 'redis://host', SIGNALBOX_APPROVAL__EXPIRY: '15m' };
  expect(environmentSettings(env).map(({ name, value }) => [name, value])).toEqual([
    ['SIGNALBOX_APPROVAL__EXPIRY', { approval: { expiry: '15m' } }],
  ]);
});
