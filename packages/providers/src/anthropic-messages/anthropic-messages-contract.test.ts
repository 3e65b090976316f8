import { createManualClock, providerContract } from '@signalbox/core/testing';
import { startFaultServer } from '../testing/fault-server.ts';
import { messageAnswer } from '../testing/message-frames.ts';
import { createAnthropicMessages } from './anthropic-messages.ts';

providerContract('Anthropic Messages over HTTP', async () => {
  const server = await startFaultServer();
  const clock = createManualClock();
  return {
    provider: createAnthropicMessages({
      id: 'anthropic',
      apiKey: 'sk-ant-test-key-1',
      baseUrl: server.url,
      clock,
    }),
    clock,
    script: (turns) => server.answer(...turns.map((turn) => messageAnswer(turn))),
    received: () => server.received.map(({ text }) => text),
    close: server.close,
  };
});
