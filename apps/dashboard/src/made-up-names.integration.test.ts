import { expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { serveWorkspace } from './testing/serve-workspace.ts';

const noBrowser = findChromium() === null;

test.skipIf(noBrowser)(
  'the card of a pending call names the paths that its model may have made up (S001-123)',
  async () => {
    const settings =
      "agent: { hallucination_detection: true }\nrules: [{ id: ask-cat, ask: { program: 'cat' } }]\n";
    await using served = await serveWorkspace(settings);
    const browser = await openBrowser();
    try {
      await using opened = await openPage(browser, served);
      const asked = await served.send('claude-code', 'cat src/no-such-file.ts');
      expect(asked.approval?.status).toBe('pending');
      await opened.goTo(`approvals/${asked.id}`);
      const badge = opened.page.getByRole('region', { name: 'Possibly made up' });
      await badge.waitFor();
      expect(await badge.textContent()).toContain('src/no-such-file.ts does not exist');
    } finally {
      await browser.close();
    }
  },
);
