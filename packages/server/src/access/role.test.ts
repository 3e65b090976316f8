import { Role } from '@signalbox/api';
import { expect, test } from 'vitest';
import { mayDo, type RequiredRole, rolesThatMay } from './role.ts';

const RIGHTS = ['look', 'decide', 'submit', 'operate'] as const satisfies readonly RequiredRole[];

test.each([
  { role: 'viewer', may: ['look'] },
  { role: 'approver', may: ['look', 'decide'] },
  { role: 'operator', may: ['look', 'decide', 'submit', 'operate'] },
  { role: 'provider', may: ['submit'] },
] as const)('a token of the role $role may do $may and nothing else', ({ role, may }) => {
  expect(RIGHTS.filter((right) => mayDo(role, [right]))).toEqual(may);
});

test('one of several rights is enough, and a request that names none is refused to everybody', () => {
  expect(mayDo('provider', ['look', 'submit'])).toBe(true);
  expect(Role.options.filter((role) => mayDo(role, []))).toEqual([]);
});

test('a refusal names the roles that have the right', () => {
  expect(rolesThatMay(['decide'])).toBe('approver or operator');
  expect(rolesThatMay(['operate'])).toBe('operator');
});
