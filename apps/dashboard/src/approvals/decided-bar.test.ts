import type { Approval } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { decidedText } from './decided-bar.tsx';

function expired(more: object): Pick<CommandView, 'id' | 'approval' | 'result'> {
  const approval = { status: 'expired', requestedAt: 0, expiresAt: 60_000, ...more } as unknown as Approval;
  return { id: 'cmd_p9ze4k0123' as CommandView['id'], approval, result: null };
}

test('an expired approval that can still be answered says how (A-MISSING 2)', () => {
  expect(decidedText(expired({}), 90_000)).toBe('Expired after 1:00; it did not run');
  expect(decidedText(expired({ answerable: true }), 90_000)).toBe(
    'Expired after 1:00; it did not run. It can still be answered, for its next identical call: here or with signalbox approve p9ze4k',
  );
});
