import { createManualClock, providerContract } from '@signalbox/core/testing';
import { chatAnswer } from '../testing/chat-frames.ts';
import { startFaultServer } from '../testing/fault-server.ts';
import { createOpenAIChat } from './openai-chat.ts';

providerContract('OpenAI Chat Completions over HTTP', async () => {
  const server = await startFaultServer();
  const clock = createManualClock();
  return {
    provider: createOpenAIChat({
      id: 'openai',
      apiKey: 'sk-test-key-1',
      baseUrl: `${server.url}/v1`,
      clock,
    }),
    clock,
    script: (turns) => server.answer(...turns.map((turn) => chatAnswer(turn))),
    received: () => server.received.map(({ text }) => text),
    close: server.close,
  };
});
