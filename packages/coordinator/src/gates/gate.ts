import type {
  CallContext,
  CallHash,
  CommandRecord,
  CommandResult,
  Call,
  ErrorCategory,
  Failure,
  GateDecision,
  GateName,
  Verdict,
} from '@signalbox/core';

/** A call that the policy does not deny, as gates see it. */
export type GatedCall = {
  readonly call: Call;
  readonly callHash: CallHash;
  /** Redacted, one line. */
  readonly title: string;
  readonly verdict: Verdict;
  readonly context: CallContext;
};

export type GateAnswer =
  | { readonly kind: 'pass'; readonly decision: GateDecision }
  /** It passes; `note` is for its model. */
  | { readonly kind: 'note'; readonly decision: GateDecision; readonly note: string }
  | { readonly kind: 'refuse'; readonly decision: GateDecision; readonly failure: Failure };

/** One more check of a call, after the policy's ruling and before approval or start. */
export type CallGate = {
  readonly name: GateName;
  /** Asks a model: the call waits visibly meanwhile, and can be cancelled. Others answer at once. */
  readonly asksModel: boolean;
  /** Whether it judges this call, by the current settings. */
  applies(call: GatedCall): boolean;
  judge(call: GatedCall, signal: AbortSignal): Promise<GateAnswer>;
  /** The refusal of a call if `judge` throws. */
  readonly failure: Readonly<{ code: string; category: ErrorCategory; suggestion: string }>;
  /** Whether a stored decision still counts when its call starts; `undefined`: it was not judged by this gate. */
  stillCounts(decision: GateDecision | undefined): boolean;
  /** Called once for each ended command. Must not throw. */
  noteEnded?(record: CommandRecord, result: CommandResult): void;
};
