export type ApprovalStep = {
  readonly type: 'approval.requested' | 'approval.closed';
  readonly commandId: string;
};

/** Number of pending approvals. */
export function approvalCount(
  { waiting }: { readonly waiting: number },
  { type }: ApprovalStep,
): { readonly waiting: number } {
  return { waiting: waiting + (type === 'approval.requested' ? 1 : -1) };
}
