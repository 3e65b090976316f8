import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { DashboardFiles } from './server-options.ts';

/**
 * Serves the built page. It is not secret; its data is. Its own routes are behind the `#`, so every path is a file.
 *
 * The folder is looked up with each request: a page that is built while the server runs appears at once.
 */
export async function serveDashboard(
  app: FastifyInstance,
  { folder, howToBuild }: DashboardFiles,
): Promise<void> {
  // Only a placeholder: each answer names the folder.
  await app.register(fastifyStatic, { root: import.meta.dirname, serve: false, preCompressed: true });
  app.get<{ Params: { '*': string } }>(
    '/*',
    { config: { access: 'anyone' }, schema: { hide: true } },
    (request, reply) => {
      const file = request.params['*'] === '' ? 'index.html' : request.params['*'];
      const root = folder();
      if (root === null) {
        if (file !== 'index.html') return reply.callNotFound();
        return reply
          .code(503)
          .header('retry-after', '5')
          .type('text/html; charset=utf-8')
          .send(missingPage(howToBuild));
      }
      // The build names these by a hash of their content, and no others.
      return file.startsWith('assets/')
        ? reply.sendFile(file, root, { maxAge: '1y', immutable: true })
        : reply.sendFile(file, root, { cacheControl: false });
    },
  );
}

/** Reloads by itself, so that the page appears when its build has ended. */
function missingPage(howToBuild: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Signalbox: the dashboard is not built yet</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 42rem; margin: 18vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.4rem; }
  pre { padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; overflow-x: auto; }
  p { opacity: .8; }
</style>
<main>
<h1>The dashboard is not built yet</h1>
<p>Signalbox serves this workspace; only its page is missing. To build it:</p>
<pre>${howToBuild.map(escaped).join('\n')}</pre>
<p>This page looks again every few seconds. Meanwhile <code>signalbox watch</code> shows the same in a terminal.</p>
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
