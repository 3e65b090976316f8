import type { AssistantMessage, ProviderErrorKind, StopReason, ToolCall, Usage } from '@signalbox/core';

/** The result of one attempt at a turn. Plain data. */
export type TurnOutcome =
  | {
      readonly kind: 'ended';
      readonly stop: StopReason;
      readonly assistant: AssistantMessage;
      readonly usage: Usage;
      readonly costUsd: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly error: ProviderErrorKind;
      readonly message: string;
      /** `null`: it is not retried. */
      readonly retryInMs: number | null;
    }
  /** A person said something that the model is to read at once. */
  | { readonly kind: 'interrupted' };

export function callsOf(assistant: AssistantMessage): readonly ToolCall[] {
  return assistant.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

export function textOf(assistant: AssistantMessage): string {
  return assistant.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('')
    .trim();
}
