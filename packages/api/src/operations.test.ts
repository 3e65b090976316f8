import { describe, expect, test } from 'vitest';
import { operations, streams } from './operations.ts';
import { CommandView, recordOf } from './operations/command.ts';
import { checkContract } from './testing/check-contract.ts';
import { aCommandView, aSnapshot } from './testing/builders.ts';
import { aCommandRecord, ended } from '@signalbox/core/testing';
import { Snapshot } from './operations/workspace.ts';

describe('the contract', () => {
  test('no two operations share a method and an address', () => {
    const all = Object.values({ ...operations, ...streams }).map(({ method, url }) => `${method} ${url}`);
    expect(new Set(all).size).toBe(all.length);
  });

  test('every part of an address is a parameter of its operation', () => {
    for (const { url, schema } of Object.values(operations)) {
      const named = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const shape = 'params' in schema ? Object.keys(schema.params.shape) : [];
      expect(shape.toSorted()).toEqual(named.toSorted());
    }
  });

  test('a snapshot survives serialization, with commands that ended and that did not', () => {
    const commands = [aCommandRecord(), ended(aCommandRecord(), { outcome: 'failed' })].map(aCommandView);
    const snapshot = aSnapshot({ commands });
    expect(Snapshot.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(
      JSON.parse(JSON.stringify(snapshot)),
    );
  });

  test('unknown fields of a command from a newer server are dropped, not refused', () => {
    const view = aCommandView(aCommandRecord());
    expect(CommandView.parse({ ...view, invented: 1 })).toEqual(view);
    expect(recordOf(view)).toEqual(aCommandRecord());
  });

  test('a test server that answers more or less than the contract is detected', () => {
    const asked = { method: 'GET', path: '/api/you' };
    const you = { name: 'ana', role: 'operator', provider: null };
    expect(() => checkContract(asked, { status: 200, body: you })).not.toThrow();
    expect(() => checkContract(asked, { status: 200, body: { ...you, secret: 1 } })).toThrow(
      'more than the contract',
    );
    expect(() => checkContract(asked, { status: 200, body: { name: 'ana' } })).toThrow('role');
    expect(() => checkContract(asked, { status: 404, body: you })).toThrow('type');
  });
});
