import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CommandId, type Logger, type McpSettings, type PersonQuestion } from '@signalbox/core';
import { type CommandView, FORM_ANSWERS, FormAnswer, FormReply, ShowsForms } from '@signalbox/api';
import type { McpRuntime } from './mcp-runtime.ts';
import { oneLine } from './one-line.ts';
import { pageOf } from './waiting-for.ts';

/** Approval forms in the window of the agent's own program: one more way to answer, never the only one. */
export type AgentForms = {
  /**
   * For a program of protocol version 2026: the answer that makes it show the form and send the call again; null: no
   * form.
   */
  ask(context: ServerContext, question: Question): InputRequiredResult | null;
  /** A call that is sent again with the person's answer: the command it is about; null: an ordinary call. */
  answered(context: ServerContext): Promise<{
    readonly id: CommandId;
    /** The person wants more time, so the same form is shown again. */
    readonly isExtended: boolean;
  } | null>;
  /**
   * For a program of protocol version 2025: shows the form while the call waits, again after a request for more time.
   * Returns a function that closes it.
   */
  show(server: McpServer, context: ServerContext, question: Question): () => void;
};

type Question = {
  readonly view: CommandView;
  /** Address of the dashboard; null where no port is open. */
  readonly dashboard: string | null;
};

/** With more reasons a form becomes a page. */
const MAX_REASONS = 3;
/** Name of the form among the inputs of a call. */
const FORM = 'approval';

/**
 * @param parts.runtime without `answer` no form is shown: closed HTTP an agent has its own token and could approve
 * itself. Over stdio its program runs in the account of the person, as `signalbox approve` does.
 */
export function createAgentForms(parts: {
  readonly runtime: Pick<McpRuntime, 'answer' | 'reply'>;
  readonly settings: () => Pick<McpSettings, 'ask_in_agent' | 'max_wait'>;
  readonly logger: Logger;
}): AgentForms {
  const { runtime, settings, logger } = parts;
  /** Hash of the shown approval request by command; an answer to a different hash is ignored. */
  const shown = new Map<CommandId, string>();
  /** Those of them that are questions. */
  const questions = new Set<CommandId>();

  function formOf(question: Question): ElicitRequestFormParams | null {
    if (runtime.answer === undefined || !settings().ask_in_agent || !mayBeAnswered(question.view))
      return null;
    return toForm(question);
  }

  /** Whether the person was given more time for the same request. */
  async function settle(id: CommandId, content: unknown): Promise<boolean> {
    const callHash = shown.get(id);
    shown.delete(id);
    if (callHash === undefined) return false;
    if (questions.delete(id)) return reply(id, { callHash, content });
    // A form that is declined, dismissed, or filled in by a program without asking a person is no answer.
    const given = FormAnswer.safeParse(content).data;
    if (given === undefined) return false;
    const answer = given.answer === '5 more minutes' ? 'extend' : given.answer;
    const { reason } = given;
    try {
      await runtime.answer?.(id, { answer, callHash, ...(reason === undefined ? {} : { reason }) });
      return answer === 'extend';
    } catch (error) {
      logger.info({ commandId: id, error }, 'answer given in an agent did not count');
      return false;
    }
  }

  async function reply(
    id: CommandId,
    { callHash, content }: Readonly<{ callHash: string; content: unknown }>,
  ): Promise<boolean> {
    const text = FormReply.safeParse(content).data?.answer.trim() ?? '';
    if (text === '') return false;
    await runtime.reply?.(id, { callHash, text }).catch((error: unknown) => {
      logger.info({ commandId: id, error }, 'answer given in an agent did not count');
    });
    return false;
  }

  function note({ id, approval }: CommandView): void {
    shown.set(id, approval?.callHash ?? '');
    if (approval?.question !== undefined) questions.add(id);
  }

  return {
    ask(context, question) {
      const { view } = question;
      const form = declaresForms(context) ? formOf(question) : null;
      if (form === null) return null;
      note(view);
      return inputRequired({ inputRequests: { [FORM]: inputRequired.elicit(form) }, requestState: view.id });
    },
    async answered({ mcpReq }) {
      const id = CommandId.safeParse(mcpReq.requestState()).data ?? null;
      if (id === null) return null;
      return { id, isExtended: await settle(id, acceptedContent(mcpReq.inputResponses, FORM)) };
    },
    show(server, { mcpReq }, question) {
      const { view } = question;
      const isOld = mcpReq.envelope === undefined;
      const declared = isOld && server.server.getClientCapabilities()?.elicitation !== undefined;
      const form = declared ? formOf(question) : null;
      if (form === null) return () => undefined;
      const closed = new AbortController();
      const { signal } = closed;
      const askInAgent = async (): Promise<void> => {
        let isOpen = true;
        while (isOpen && !signal.aborted) {
          note(view);
          const filled = await mcpReq.elicitInput(form, { signal, timeout: settings().max_wait + 1000 });
          isOpen = filled.action === 'accept' && (await settle(view.id, filled.content));
        }
      };
      askInAgent().catch((error: unknown) =>
        logger.debug({ commandId: view.id, error }, 'nobody asked in an agent'),
      );
      return () => closed.abort();
    },
  };
}

/** In 2026 each request declares the capabilities of its program. */
function declaresForms({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  return ShowsForms.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]).success;
}

/** Dangerous calls, and those that need two approvers, are decided where every detail is shown. */
function mayBeAnswered({ state, approval, verdict }: CommandView): boolean {
  return (
    state === 'awaiting_approval' &&
    approval?.status === 'pending' &&
    approval.approvers === 1 &&
    (verdict?.level === 'safe' || verdict?.level === 'warning')
  );
}

function toForm({ view, dashboard }: Question): ElicitRequestFormParams {
  const asked = view.approval?.question;
  if (asked !== undefined) return toReplyForm({ view, dashboard }, asked);
  const reasons = (view.verdict?.reasons ?? []).slice(0, MAX_REASONS).map(({ text }) => `- ${oneLine(text)}`);
  return {
    mode: 'form',
    message: [
      `Signalbox: may ${view.context.provider} run this?`,
      oneLine(view.title, 2000),
      ...reasons,
      `More: ${pageOf(view, dashboard)}`,
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'Answer', enum: [...FORM_ANSWERS] },
        reason: {
          type: 'string',
          title: 'Reason',
          description: 'Sent to the model if you deny',
          maxLength: 2000,
        },
      },
      required: ['answer'],
    },
  };
}

/** A model's question: one of its choices, or text. */
function toReplyForm(
  { view, dashboard }: Question,
  { text, choices, allowText }: PersonQuestion,
): ElicitRequestFormParams {
  const listed = allowText ? choices.map((choice) => `- ${choice}`) : [];
  const answer = allowText
    ? ({ type: 'string', title: 'Answer', maxLength: 2000 } as const)
    : ({ type: 'string', title: 'Answer', enum: [...choices] } as const);
  return {
    mode: 'form',
    message: [`${view.context.provider} asks:`, text, ...listed, `More: ${pageOf(view, dashboard)}`].join(
      '\n',
    ),
    requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
  };
}
