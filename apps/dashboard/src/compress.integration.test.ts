import type { SessionView, WaitingApproval } from '@signalbox/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openPage } from './testing/open-page.ts';
import { openScripted, type ScriptedWorkspace } from './testing/open-scripted.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
const LONG = 'what the first turn printed, and nobody needs again. '.repeat(80);
let world: ScriptedWorkspace;

beforeAll(async () => {
  if (noBrowser) return;
  world = await openScripted(
    [
      { says: 'I look around.', calls: [{ tool: 'bash', args: { line: `echo ${LONG}` } }] },
      { says: 'I make a folder.', calls: [{ tool: 'bash', args: { line: 'mkdir -p made' } }] },
    ],
    'approval: { prompt_on_warning: true }\n',
  );
});

afterAll(() => world?.[Symbol.asyncDispose]());

test.skipIf(noBrowser)(
  'a person has the conversation of a running session compressed before its next turn; the transcript shows it, and what was saved (B7, S001-57)',
  async () => {
    const { served, browser } = world;
    await served.ask('POST', '/api/sessions', { body: { provider: 'scripted', task: 'Make a folder' } });
    await using opened = await openPage(browser, served);
    const { page, faults } = opened;
    await opened.goTo('sessions');
    await page.getByText('I make a folder.').first().waitFor();
    await page.getByRole('button', { name: 'Compress', exact: true }).click();
    const requested = page.getByRole('button', { name: 'Compresses before its next turn' });
    await requested.waitFor();
    expect(await requested.isDisabled()).toBe(true);
    const { sessions } = await served.ask<{ sessions: readonly SessionView[] }>('GET', '/api/sessions');
    expect(sessions[0]?.context.compressions).toBe(0);

    const { approvals } = await served.ask<{ approvals: readonly WaitingApproval[] }>(
      'GET',
      '/api/approvals',
    );
    const { id, approval } = approvals[0]?.command ?? {};
    await served.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash: approval?.callHash } });
    await page.getByText('manual', { exact: true }).waitFor();
    await page.getByText('requested by').first().waitFor();
    await page.getByText('by compression').waitFor();
    await page.getByRole('button', { name: 'Compress', exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
    await served.ask('POST', `/api/sessions/${sessions[0]?.id}/stop`, { body: {} });
  },
);
