import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { errorText } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { quoteWord } from '../../terminal/quote-word.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { duration } from '../../terminal/render-context.ts';
import { AGENT_TOKEN, type AgentId, type AgentTransport } from './agents.ts';
import { type StartAttempt, tryStarter } from './try-starter.ts';

/** Connects to Signalbox once as the agent will, and reports the result; null if a token is still missing. */
export function tryTransport(
  id: AgentId,
  transport: AgentTransport,
  context: Context,
): Promise<StartAttempt | null> {
  return transport.kind === 'http' ? tryServer(transport.url, context) : tryProgram(id, transport, context);
}

async function tryServer(url: string, context: Context): Promise<StartAttempt | null> {
  const token = context.env[AGENT_TOKEN];
  if (token === undefined || token === '') {
    context.say([line(muted(`not tested: ${AGENT_TOKEN} is not set here`))]);
    return null;
  }
  const tried = await tryAddress(url, token, () => context.clock.monotonic());
  const shown = muted(` · ${url}`);
  context.tell([
    tried.kind === 'answered'
      ? line(as('ok', '✓ tested'), `: ${tried.tools.length} tools`, shown)
      : line(as('danger', '✗ failed'), `: ${tried.why}`, shown),
  ]);
  return tried;
}

async function tryProgram(
  id: AgentId,
  { command, args }: Extract<AgentTransport, { kind: 'stdio' }>,
  context: Context,
): Promise<StartAttempt> {
  const argv = [command, ...args, 'mcp', '--provider', id];
  const tried = await tryStarter(argv, { ...context, cwd: context.directory });
  const again = `signalbox connect ${id} --write`;
  const shown = muted(` · ${argv.map(quoteWord).join(' ')}`);
  context.tell(
    tried.kind === 'answered'
      ? [line(as('ok', '✓ tested'), `: ${tried.tools.length} tools after ${duration(tried.tookMs)}`, shown)]
      : [
          line(as('danger', '✗ failed'), ': it does not start', shown),
          line('  ', muted('why   '), tried.why),
          line('  ', muted('next  '), as('accent', `${again} --command /path/to/bin/signalbox`)),
        ],
  );
  return tried;
}

/** Lists the tools of the server at that address, as an agent with this token will. */
async function tryAddress(url: string, token: string, now: () => number): Promise<StartAttempt> {
  const startedAt = now();
  const client = new Client({ name: 'signalbox connect', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { tools } = await client.listTools();
    return { kind: 'answered', tools: tools.map(({ name }) => name), tookMs: now() - startedAt };
  } catch (error) {
    return { kind: 'failed', why: errorText(error) };
  } finally {
    await client.close().catch(() => undefined);
  }
}
