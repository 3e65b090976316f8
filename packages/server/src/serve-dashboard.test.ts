import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveDashboard } from './serve-dashboard.ts';

test('a dashboard that is not built shows how to build it, and appears once it is built (U-B1)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-page-'));
  const app = fastify();
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  let built: string | null = null;
  await serveDashboard(app, { folder: () => built, howToBuild: ['node "/opt/<box>/run.mjs" dashboard'] });

  const missing = await app.inject('/');
  expect(missing).toMatchObject({ statusCode: 503 });
  expect(missing.headers['content-type']).toContain('text/html');
  expect(missing.body).toContain('node "/opt/&lt;box&gt;/run.mjs" dashboard');
  expect(await app.inject('/assets/index.js')).toMatchObject({ statusCode: 404 });

  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<h1>Live</h1>');
  writeFileSync(join(folder, 'assets/index.js'), 'export {};');
  built = folder;
  expect(await app.inject('/')).toMatchObject({ statusCode: 200, body: '<h1>Live</h1>' });
  expect((await app.inject('/assets/index.js')).headers['cache-control']).toContain('immutable');
  expect(await app.inject('/../package.json')).toMatchObject({ statusCode: 404 });
});
