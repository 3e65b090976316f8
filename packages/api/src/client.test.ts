import { UnavailableError } from '@signalbox/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type ApiAnswer, type ApiRequest, ProblemError } from './ask.ts';
import { createClient } from './client.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

function clientOf(answer: ApiAnswer) {
  const sent: ApiRequest[] = [];
  const client = createClient(async (request) => {
    sent.push(request);
    return answer;
  });
  return { client, sent };
}

const you = { name: 'ana', role: 'operator', provider: null };

test('the input of an operation goes into its address, its query or its body', async () => {
  const { client, sent } = clientOf({ status: 404, body: null });
  const { signal } = new AbortController();
  const asked = [
    client.removeRule({ layer: 'local', id: 'a/b ?#' }),
    client.getCommand({ id: 'cmd_1', wait: 5 }, signal),
    client.getReview({ session: undefined }),
    client.cancelCommand({ id: 'cmd_1', reason: 'no' }),
    client.leave(),
  ];
  await Promise.allSettled(asked);
  expect(sent).toEqual([
    { method: 'DELETE', path: '/api/policy/rules/local/a%2Fb%20%3F%23' },
    { method: 'GET', path: '/api/commands/cmd_1?wait=5', signal },
    { method: 'GET', path: '/api/review' },
    { method: 'POST', path: '/api/commands/cmd_1/cancel', body: { reason: 'no' } },
    { method: 'POST', path: '/api/leave', body: {} },
  ]);
});

test('no name has two meanings in one operation', () => {
  for (const operation of Object.values<Operation>(operations)) {
    const { params, querystring, body } = operation.schema;
    expect(querystring !== undefined && body !== undefined).toBe(false);
    const others = new Set([...namesIn(querystring), ...namesIn(body)]);
    expect(namesIn(params).filter((name) => others.has(name))).toEqual([]);
  }
});

function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? namesIn(schema.unwrap()) : [];
}

test('an answer matches the contract; fields of a newer server are dropped', async () => {
  const { client } = clientOf({ status: 200, body: { ...you, invented: 1 } });
  expect(await client.getYou()).toEqual(you);
});

test('an answer that does not match the contract is an error (U-15)', async () => {
  const { client } = clientOf({ status: 200, body: { name: 'ana' } });
  const error = await client.getYou().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({
    code: 'no-signalbox',
    message: 'Cannot understand the answer to GET /api/you',
  });
});

test('a refusal is thrown as the problem that the server sent', async () => {
  const problem = { type: 'urn:signalbox:problem:stopping', title: 'Cannot', status: 503, code: 'stopping' };
  const { client } = clientOf({ status: 503, body: { ...problem, why: ['it stops'], next: [] } });
  const error = await client.getYou().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ code: 'stopping', message: 'Cannot', why: ['it stops'], problem });
});

test('a refusal of a proxy keeps its status', async () => {
  const { client } = clientOf({ status: 502, body: null });
  await expect(client.getYou()).rejects.toMatchObject({ code: 'unknown', problem: { status: 502 } });
});
