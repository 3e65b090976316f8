import { type Answer, ask, type OperationInput, type Send } from './ask.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

type Operations = typeof operations;

type Method<Of extends Operation> =
  Partial<OperationInput<Of>> extends OperationInput<Of>
    ? (asked?: OperationInput<Of>, signal?: AbortSignal) => Promise<Answer<Of>>
    : (asked: OperationInput<Of>, signal?: AbortSignal) => Promise<Answer<Of>>;

/** A method for each operation of the API. */
export type ApiClient = { readonly [Name in keyof Operations]: Method<Operations[Name]> };

/**
 * A client for a coordinator that parses every answer.
 *
 * Each method throws {@link ProblemError} for a refusal, {@link UnavailableError} `no-signalbox` for an answer that
 * does not match the contract, and whatever `send` throws.
 */
export function createClient(send: Send): ApiClient {
  const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    (asked?: object, signal?: AbortSignal) => ask(send, operation, { asked, signal }),
  ]);
  return Object.fromEntries(methods) as ApiClient;
}
