import { formatForLlm, type ToolCall } from '@signalbox/core';
import type { RecordedCall } from './recorded-call.ts';

/** Why a call is answered without being submitted: every call's id gets exactly one result. */
export type UnrunReason = 'cancelled' | 'cut' | 'refused' | 'not-taken' | 'thoughts-only' | 'unknown';

const ANSWERS = {
  cancelled: {
    category: 'Cancelled',
    message: 'Cannot make this call: the session was cancelled',
    suggestion: 'Stop here',
  },
  cut: {
    category: 'InvalidParameters',
    message: 'Cannot make this call: your answer was cut at the output limit, so the call may be incomplete',
    suggestion: 'Make fewer or smaller calls in one turn',
  },
  refused: {
    category: 'Cancelled',
    message: 'Cannot make this call: the turn that it belongs to was refused',
    suggestion: 'Stop here',
  },
  'thoughts-only': {
    category: 'InvalidParameters',
    message: 'The call was not made: it has only thoughts, and no arguments',
    suggestion:
      'Call the tool again with its arguments; to call it without any, leave the field for thoughts out',
  },
  unknown: {
    category: 'ServerError',
    message:
      'It is unknown whether this call was made: Signalbox was interrupted, and what it stored cannot be read',
    suggestion: 'Check what it would have changed before you make it again',
  },
  'not-taken': {
    category: 'ServerError',
    message: 'Cannot make this call: Signalbox did not accept it',
    suggestion: 'Try again a little later',
  },
} as const;

export function unrunCall(call: ToolCall, reason: UnrunReason): RecordedCall {
  return {
    callId: call.id,
    tool: call.name,
    argsText: call.argsText,
    commandId: null,
    success: false,
    content: formatForLlm({ code: reason, visibility: 'visible', ...ANSWERS[reason] }, ''),
  };
}
