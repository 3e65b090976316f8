import { parseSettings } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { createOpenClient } from '@signalbox/mcp-tools';

/**
 * Our client as a program for the protocol's suite: connects to the address, and calls each tool that takes numbers.
 */
const url = process.argv.at(-1) ?? '';
const parsed = parseSettings({ mcp_servers: { suite: { url } } });
const reach = parsed.kind === 'ok' ? parsed.settings.mcp_servers['suite']?.reach : undefined;
if (reach === undefined) throw new Error(`no address: ${url}`);
const open = createOpenClient({
  services: { start: () => Promise.reject(new Error('no program is started here')) },
  env: {},
  isConfined: true,
  version: '0.0.0',
  clock: createSystemClock(),
});
const timeoutMs = 15_000;
const { signal } = new AbortController();
const client = await open({
  reach,
  mode: 'auto',
  signal,
  timeoutMs,
  onChanged: () => undefined,
  onTakenBack: () => undefined,
});
for (const { name, inputSchema } of client.tools) {
  const { properties = {} } = inputSchema as { properties?: Record<string, unknown> };
  const args = Object.fromEntries(Object.keys(properties).map((key, at) => [key, at + 5]));
  await client.call(name, args, { signal, timeoutMs });
}
await client.close();
