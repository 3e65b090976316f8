import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import { configHomeOf, writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const KEY = 'sk-doctor-a1B2c3D4e5F6g7H8';

async function aTerminal(answer: Parameters<LLMock['addFixture']>[0]['response']) {
  const mock = new LLMock({ port: 0 });
  mock.addFixture({ match: {}, response: answer });
  await mock.start();
  onTestFinished(() => mock.stop());
  const workspace = ownWorkspace();
  await writeOwnSettings(workspace, {
    text: JSON.stringify({
      providers: {
        mine: {
          api: 'openai-chat',
          base_url: `${mock.url}/v1`,
          model: 'tiny',
          api_key_env: 'MY_KEY',
          prices: { input_per_million: 1, output_per_million: 10 },
        },
      },
    }),
  });
  return { mock, ...createTestTerminal(workspace, { env: { MY_KEY: KEY } }) };
}

test('a provider is asked for one word, and the cost is shown', async () => {
  const { mock, signalbox } = await aTerminal({ content: 'ok' });
  const { exit, out } = await signalbox('doctor', '--provider', 'mine');
  expect(out).toMatch(/✓ mine +tiny answered after [\d.]+ m?s, \d+ tokens in, \d+ out, \$0\.\d{6}/);
  expect([exit, mock.getRequests().length]).toEqual([0, 1]);
});

test('a rejected API key is reported', async () => {
  const { signalbox } = await aTerminal({
    error: { message: `Incorrect API key provided: ${KEY}`, type: 'invalid_request_error' },
    status: 401,
  });
  const { exit, out, talk } = await signalbox('doctor', '--provider', 'mine');
  expect([exit, out]).toEqual([6, expect.stringContaining('its key was rejected: is MY_KEY right?')]);
  expect(out + talk).not.toContain(KEY);
});

test('a provider without a responding server is a blocking problem, in words, in --json and by the exit code', async () => {
  const workspace = ownWorkspace();
  const here = { api: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', model: 'tiny', api_key_env: null };
  await writeOwnSettings(workspace, { text: JSON.stringify({ providers: { here } }) });
  const { signalbox } = createTestTerminal(workspace);
  const reported = await signalbox('doctor', '--provider', 'here');
  expect(reported).toMatchObject({
    exit: 6,
    out: expect.stringContaining('1 problem, blocking') as unknown,
  });
  const json = await signalbox('doctor', '--provider', 'here', '--json');
  expect([json.exit, JSON.parse(json.out)]).toMatchObject([6, { checks: [{ ok: false, stops: true }] }]);
});

test('a key that a provider repeats in its answer is never shown', async () => {
  const { signalbox } = await aTerminal({
    error: { message: `No such model for ${KEY}`, type: 'invalid_request_error' },
    status: 400,
  });
  const { exit, out, talk } = await signalbox('doctor', '--provider', 'mine');
  expect([exit, out]).toEqual([6, expect.stringContaining('is its model right? tiny')]);
  expect(out + talk).not.toContain(KEY);
});

test('a check that cannot be tried is an error in the command line', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace());
  expect(await signalbox('doctor', '--provider', 'nobody')).toMatchObject({ exit: 2 });
  expect(await signalbox('doctor', '--provider', 'openai')).toMatchObject({
    exit: 6,
    out: expect.stringContaining('fix  export OPENAI_API_KEY=…'),
  });
});

test('keys of the configured providers are shown: found, not needed, or missing with what to set', async () => {
  const local = { api: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', model: 'tiny', api_key_env: null };
  const keyed = { ...local, api_key_env: 'MY_KEY' };
  const workspace = ownWorkspace();
  await writeOwnSettings(workspace, { text: JSON.stringify({ providers: { here: local } }) });
  expect((await createTestTerminal(workspace, { env: {} }).signalbox('doctor')).out).toMatch(
    /✓ API keys +here \(needs none\)/,
  );
  await writeOwnSettings(workspace, { text: JSON.stringify({ providers: { here: local, mine: keyed } }) });
  const { out } = await createTestTerminal(workspace, { env: {} }).signalbox('doctor');
  expect(out).toMatch(
    /✗ API keys +here \(needs none\); mine has none: MY_KEY is not set\n +fix +export MY_KEY=…/,
  );
  expect((await createTestTerminal(workspace, { env: { MY_KEY: KEY } }).signalbox('doctor')).out).toMatch(
    /✓ API keys +mine, here \(needs none\)/,
  );
});

test('the user’s certificates are listed, whether commands get them or not', async () => {
  const workspace = ownWorkspace({ 'theirs.pem': '-----BEGIN CERTIFICATE-----' });
  const certificate = `${configHomeOf(workspace)}/company.pem`;
  mkdirSync(configHomeOf(workspace), { recursive: true });
  writeFileSync(certificate, '-----BEGIN CERTIFICATE-----\n');
  const env = {
    GIT_SSL_CAINFO: certificate,
    PIP_CERT: join(workspace, 'theirs.pem'),
    SSL_CERT_FILE: 'x.pem',
  };
  const { out } = await createTestTerminal(workspace, { env }).signalbox('doctor', '--json');
  const { checks } = JSON.parse(out) as { checks: readonly { id: string }[] };
  expect(checks.find(({ id }) => id === 'certificates')).toEqual({
    id: 'certificates',
    ok: false,
    stops: false,
    why:
      `commands trust the certificates of your GIT_SSL_CAINFO; they don't get SSL_CERT_FILE: "x.pem": it is not an absolute path; ` +
      `they don't get PIP_CERT: "${workspace}/theirs.pem": it is in the workspace`,
  });
});
