import type { Clock } from '@signalbox/core';
import type { EventMilestones } from './milestones.ts';
import { type LastResults, type DemoScript, type DemoStep, stepOf } from './script.ts';

export type ModelServer = {
  /** `http://127.0.0.1:<port>`; Messages under it, Chat Completions under `/v1`. */
  readonly url: string;
  /** Interrupts all thinking and connections; settles when the port is free. */
  stop(): Promise<void>;
};

export type ModelServerOptions = {
  readonly scripts: readonly DemoScript[];
  readonly milestones: EventMilestones;
  readonly clock: Clock;
  /** Thinks for at most a tenth of a second. */
  readonly fast: boolean;
};

const FAST_MS = 100;
/** A missing milestone must not hang the demo: the script continues, and the scene check reports it. */
const PATIENCE_MS = 20_000;

/**
 * Starts a loopback server that speaks the providers' own protocols, Anthropic's Messages and OpenAI's Chat
 * Completions, and answers from the scripts. It is stateless: each request contains its turn.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  // Loaded only for the demo.
  const { createServer } = await import('@copilotkit/aimock');
  const stopped = new AbortController();
  const { server, url } = await createServer(
    [
      {
        match: { predicate: () => true },
        response: (request) => answerTo(request, { ...options, signal: stopped.signal }),
      },
    ],
    { host: '127.0.0.1', port: 0, logLevel: 'silent', journalMaxEntries: 1 },
  );
  return {
    url,
    stop() {
      stopped.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** The common parts of both protocols, once the server has read a request. */
export type ModelRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
};

type AnswerOptions = ModelServerOptions & { readonly signal: AbortSignal };

async function answerTo(request: ModelRequest, options: AnswerOptions) {
  const script = options.scripts.find(({ model }) => model === request.model);
  if (script === undefined) {
    return {
      error: { message: `No script for model ${request.model}`, type: 'not_found_error' },
      status: 404,
    };
  }
  const turn = request.messages.filter(({ role }) => role === 'assistant').length;
  const step = stepOf(script, turn, { results: lastResults(request) });
  if (step === undefined) return { content: 'The script ends here.', usage: usageOf(request, '') };

  await think(step, options);
  return toResponse({ script, turn, step, request });
}

async function think(step: DemoStep, { milestones, clock, fast, signal }: AnswerOptions): Promise<void> {
  if (step.after !== undefined) {
    const patience = new AbortController();
    const cancel = clock.timer(PATIENCE_MS, () => patience.abort());
    await milestones.reached(step.after, AbortSignal.any([signal, patience.signal]));
    cancel();
  }
  await wait(clock, fast ? Math.min(step.thinkMs, FAST_MS) : step.thinkMs, signal);
}

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.timer(ms, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function toResponse({
  script,
  turn,
  step,
  request,
}: {
  script: DemoScript;
  turn: number;
  step: DemoStep;
  request: ModelRequest;
}) {
  const toolCalls = step.calls.map(({ tool, args }, index) => ({
    id: `call_${script.provider}_${turn + 1}_${index + 1}`,
    name: tool,
    arguments: JSON.stringify(args),
  }));
  const text = `${step.thoughts ?? ''}${step.say}${toolCalls.map((call) => call.arguments).join('')}`;
  return {
    content: step.say,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(step.thoughts === undefined ? {} : { reasoning: step.thoughts }),
    usage: usageOf(request, text),
  };
}

/** Estimated tokens, four characters each, under the names of both protocols. */
function usageOf(request: ModelRequest, text: string) {
  const input = Math.ceil(JSON.stringify(request.messages).length / 4);
  const output = Math.ceil(text.length / 4);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
  };
}

/** Results of the last turn's calls. */
function lastResults({ messages }: ModelRequest): LastResults {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
}
