import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { Service } from '@signalbox/core';
import { cleanText } from './clean-text.ts';
import {
  type MessageBudget,
  MAX_MESSAGE_BYTES,
  TOO_LONG_MESSAGE,
  TOO_MANY_MESSAGES,
} from './message-bounds.ts';

const KEPT_ERROR_BYTES = 2000;
/** The reason for a connection we closed ourselves. */
export const CLOSED = 'was closed';

export type StdioTransport = Transport & {
  /** Why it was closed; a sentence without a subject. */
  readonly closedBecause: () => string;
};

/** The protocol over a program's standard input and output, one message per line. */
export function createStdioTransport(service: Service, budget: MessageBudget): StdioTransport {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let because = CLOSED;
  let stderr = '';
  let isClosed = false;
  let isEnding = false;

  function closed(why: string): void {
    if (isClosed) return;
    isClosed = true;
    because = why;
    transport.onclose?.();
  }

  async function untilDead(): Promise<void> {
    const how = await service.ended;
    const last = cleanText(stderr, KEPT_ERROR_BYTES).trim();
    // How it died after our own request is irrelevant.
    if (isEnding) closed(CLOSED);
    else closed(last === '' ? how : `${how}: ${last}`);
  }

  function take(chunk: Uint8Array): void {
    if (isClosed) return;
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      waiting.push(rest.subarray(0, end));
      const line = Buffer.concat(waiting).toString('utf8');
      [waiting, waitingBytes] = [[], 0];
      rest = rest.subarray(end + 1);
      if (line.trim() === '') continue;
      if (!budget.take()) return giveUp(TOO_MANY_MESSAGES);
      receive(line);
    }
    waiting.push(rest);
    waitingBytes += rest.length;
    if (waitingBytes > MAX_MESSAGE_BYTES) giveUp(TOO_LONG_MESSAGE);
  }

  function giveUp(why: string): void {
    [waiting, waitingBytes] = [[], 0];
    closed(why);
    void service.stop();
  }

  function receive(line: string): void {
    try {
      transport.onmessage?.(deserializeMessage(line));
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  const transport: StdioTransport = {
    async start() {
      service.listen(take, (chunk) => {
        stderr = (stderr + Buffer.from(chunk).toString('utf8')).slice(-KEPT_ERROR_BYTES);
      });
      void untilDead();
    },
    async send(message: JSONRPCMessage) {
      service.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      isEnding = true;
      await service.stop();
      closed(CLOSED);
    },
    closedBecause: () => because,
  };
  return transport;
}

const NEWLINE = 10;
