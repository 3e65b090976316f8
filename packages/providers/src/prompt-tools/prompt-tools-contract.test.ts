import {
  createManualClock,
  createScriptedProvider,
  providerContract,
  type ScriptedTurn,
} from '@signalbox/core/testing';
import { createPromptTools } from './prompt-tools.ts';

providerContract('tools in the prompt', async () => {
  const clock = createManualClock();
  const model = createScriptedProvider({ id: 'local', clock });
  return {
    provider: createPromptTools(model),
    clock,
    script: (turns) => model.script(turns.map(asText)),
    received: () => model.requests.map(({ messages }) => JSON.stringify(messages)),
    close: async () => {},
  };
});

/** Writes calls as text, as a model without tool calling does. */
function asText(turn: ScriptedTurn): ScriptedTurn {
  if (turn.kind !== 'answer' || turn.calls === undefined) return turn;
  const { calls, text, ...rest } = turn;
  const blocks = calls.map(
    ({ id, name, argsText }) =>
      `\`\`\`tool_call\n${JSON.stringify({ id, name, arguments: argsText })}\n\`\`\`\n`,
  );
  return { ...rest, text: [text ?? '', ...blocks].join('\n') };
}
