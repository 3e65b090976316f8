import { expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openPage, PHONE } from './testing/open-page.ts';
import { openScripted } from './testing/open-scripted.ts';
import { violationsOf } from './testing/violations-of.ts';

test.skipIf(findChromium() === null)(
  'a session whose call failed critically waits on its transcript, and continues with a button, also on a phone (S000-68, L-15)',
  async () => {
    const deploy = { says: 'I deploy.', calls: [{ tool: 'bash', args: { line: 'exit 3' } }] };
    await using world = await openScripted(
      [deploy, { says: 'Another way is not needed.' }],
      'agents: { tool_execution: { critical_tools: [bash] } }\n',
    );
    const { served, browser } = world;
    const { sessionId } = await served.ask<{ sessionId: string }>('POST', '/api/sessions', {
      body: { provider: 'scripted', task: 'Deploy it' },
    });
    await using desk = await openPage(browser, served);
    await desk.goTo(`sessions/${sessionId}`);
    const transcript = desk.page.getByRole('region', { name: 'Transcript' });
    await transcript.getByText('It stopped at a failed call: bash: ').waitFor();
    expect(await transcript.getByText('Needs you').count()).toBe(1);
    expect(await violationsOf(desk.page)).toEqual([]);
    await using phone = await openPage(browser, served, { viewport: PHONE });
    await phone.goTo(`sessions/${sessionId}`);
    await phone.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await transcript.getByText('Another way is not needed.').first().waitFor();
    expect(await transcript.getByText('Needs you').count()).toBe(0);
  },
);
