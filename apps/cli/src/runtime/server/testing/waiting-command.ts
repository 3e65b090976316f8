import { expect } from 'vitest';
import type { TestServer } from '../../../testing/open-test-server.ts';
import type { TestCommandView } from './command-view.ts';

/** Settings under which `touch a` needs approval. */
export const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;

/** The body of a call that is answered when it has ended. */
export const echo = (line: string): object => ({ tool: 'bash', args: { line }, wait: true });

/** Sends a line that needs approval, and returns its waiting command. */
export async function waitingCommand(own: TestServer, line: string): Promise<TestCommandView> {
  const sent = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line } },
  });
  expect(sent.status).toBe(202);
  return sent.body;
}
