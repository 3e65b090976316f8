import { expect, test } from 'vitest';
import { findChromium } from './find-chromium.ts';

test('without Chromium its tests are skipped on a user’s machine, and fail in CI (U-B1)', () => {
  expect(findChromium({ PATH: '/nowhere' })).toBeNull();
  for (const ci of ['CI', 'REQUIRE_CHROMIUM'])
    expect(() => findChromium({ PATH: '/nowhere', [ci]: 'true' })).toThrow('there is no Chromium');
  expect(findChromium({ PATH: '/nowhere', CI: 'true', SIGNALBOX_CHROMIUM: '/opt/chromium' })).toBe(
    '/opt/chromium',
  );
});
