export type ApprovalStep = {
  readonly type: 'approval.requested' | 'approval.closed';
  readonly commandId: string;
};

/** How many approvals are pending here. */
export function approvalCount(
  { waiting }: { readonly waiting: number },
  { type }: ApprovalStep,
): { readonly waiting: number } {
  return { waiting: waiting + (type === 'approval.requested' ? 1 : -1) };
}
