import { Role } from '@signalbox/api';

/** What a request does. */
export type RequiredRole =
  /** Sees commands, output, queue, policy. */
  | 'look'
  /** Answers who waits for approval. */
  | 'decide'
  /** Sends calls, and sees and cancels its own. */
  | 'submit'
  /** Cancels others' commands, starts sessions, sets the mode, reloads the policy. */
  | 'operate';

const RIGHTS: Readonly<Record<Role, readonly RequiredRole[]>> = {
  viewer: ['look'],
  approver: ['look', 'decide'],
  operator: ['look', 'decide', 'submit', 'operate'],
  provider: ['submit'],
};

/** Whether the role has one of the rights that a request asks for. */
export function mayDo(role: Role, anyOf: readonly RequiredRole[]): boolean {
  return anyOf.some((right) => RIGHTS[role].includes(right));
}

/** For the sentence that refuses: `approver or operator`. */
export function rolesThatMay(anyOf: readonly RequiredRole[]): string {
  return Role.options.filter((role) => mayDo(role, anyOf)).join(' or ');
}
