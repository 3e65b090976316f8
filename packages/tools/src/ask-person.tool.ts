import { ASK_PERSON, AskPersonArgs, defineTool, ToolFailure } from '@signalbox/core';
import * as z from 'zod';

/** Never runs: the coordinator has the question answered by a person, and the answer is the result. */
export const askPerson = defineTool({
  name: ASK_PERSON,
  description:
    'Asks the person you work for one question, and waits for the answer. Use it when the task leaves open what only they can decide and a wrong guess would cost work: which of two designs, a missing name, whether to go on. Find out yourself what files and commands can tell. Nobody may be there: then you are told so at once, and decide by yourself. It approves nothing: calls that need approval are asked about by themselves.',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  args: AskPersonArgs,
  output: z.string(),
  describe: ({ question }) => question.replaceAll(/\s+/g, ' ').trim(),
  effects: () => [],
  handle: () =>
    Promise.reject(
      new ToolFailure({
        code: 'nobody-to-ask',
        message: 'Nobody was asked',
        category: 'ConfirmationRequired',
        suggestion: 'Decide by yourself, and say what you assumed',
      }),
    ),
});
