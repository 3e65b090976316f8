import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** By the rules of WCAG 2 at level A and AA, and axe's best practices. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Not by a script tag: the page's own policy forbids those, as it should.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(
            on: Document,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      }
    ).axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
    );
  });
}
