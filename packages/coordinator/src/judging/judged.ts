import type { Call, CallHash, Claim, Mode, Suspect, ToolOrigin, Verdict } from '@signalbox/core';

/** The judgement of a call, stored with it. */
export type CallJudgement = {
  readonly call: Call;
  readonly origin?: ToolOrigin;
  readonly callHash: CallHash;
  readonly title: string;
  readonly verdict: Verdict;
  readonly mode: Mode;
  readonly claims: readonly Claim[];
  /** Absent: none, or they were not looked for. */
  readonly suspects?: readonly Suspect[];
};
