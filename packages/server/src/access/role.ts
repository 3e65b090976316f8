import { Role } from '@signalbox/api';

/** The right that a request needs. */
export type RequiredRole =
  /** Reads commands, output, queue and policy. */
  | 'look'
  /** Answers pending approvals. */
  | 'decide'
  /** Sends calls; reads and cancels its own. */
  | 'submit'
  /** Cancels commands of others, starts sessions, sets the mode and reloads the policy. */
  | 'operate';

const RIGHTS: Readonly<Record<Role, readonly RequiredRole[]>> = {
  viewer: ['look'],
  approver: ['look', 'decide'],
  operator: ['look', 'decide', 'submit', 'operate'],
  provider: ['submit'],
};

/** Whether the role has one of the rights that a request needs. */
export function mayDo(role: Role, anyOf: readonly RequiredRole[]): boolean {
  return anyOf.some((right) => RIGHTS[role].includes(right));
}

/** For the message of a refusal: `approver or operator`. */
export function rolesThatMay(anyOf: readonly RequiredRole[]): string {
  return Role.options.filter((role) => mayDo(role, anyOf)).join(' or ');
}
