import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ModelCall } from '../../testing/recorded-model.ts';
import { runRecordedSession } from './recorded-session.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const Parameters = z.object({ properties: z.record(z.string(), z.unknown()) });

const SECRET = 'because the person lives in Kassel';
const thinking = (more: object = {}): ModelCall => ({
  tool: 'write_file',
  args: { _tafc_think: SECRET, ...more },
});

test('a model thinks first in a field that nothing keeps (S001-66…S001-72, X-25) (setting: tools.tafc.enabled, tools.tafc.complexity_threshold)', async () => {
  const tafc = { enabled: true, complexity_threshold: 0.1 };
  const session = await runRecordedSession(
    { tools: { tafc } },
    { turns: [thinking(), thinking({ path: 'b.txt', content: 'second\n' }), thinking({ path: 3 })] },
  );
  const fields = (name: string): readonly string[] => {
    const tool = session.requests[0]?.tools.find((one) => one.function.name === name);
    return Object.keys(Parameters.parse(tool?.function.parameters).properties);
  };
  expect(fields('write_file')[0]).toBe('_tafc_think');
  expect(fields('delete_file')).toEqual(['path']);
  expect(session.answersTo(1).join('\n')).toContain('it has only thoughts, and no arguments');
  expect(session.answersTo(2).join('\n')).not.toContain('[tool_error]');
  expect(readFileSync(join(session.workspace, 'b.txt'), 'utf8')).toBe('second\n');
  // Of the requests one asks for a repair of the arguments.
  expect(JSON.stringify(session.requests)).not.toContain('Kassel');
  expect(JSON.stringify(session.requests.at(-1)?.messages)).toContain('must be text, not a number');
  const terminal = createTestTerminal(session.workspace);
  const shown: string[] = [];
  for (const argv of [['--json', 'history'], ['--json', 'commands'], ['--json', 'audit'], ['stats']])
    shown.push((await terminal.signalbox(...argv)).out);
  expect(shown.join('\n')).not.toContain('Kassel');
  expect(shown.join('\n')).toContain('write_file');
  expect(shown.at(-1)).toContain('Invalid arguments: 1 of 2 calls (50 %) with thoughts first');
  await terminal.stopCoordinator();
  expect(filesWith(join(session.workspace, '.signalbox'), 'Kassel')).toEqual([]);
});

test('a field for thoughts that a model makes up is removed, and a threshold out of bounds is clamped (S001-68, S001-70, S001-72)', async () => {
  const { requests, workspace, answersTo } = await runRecordedSession(
    { tools: { tafc: { complexity_threshold: 7 } } },
    { turns: [thinking({ path: 'b.txt', content: 'second\n' })] },
  );
  expect(JSON.stringify(requests[0])).not.toContain('_tafc_think');
  expect(answersTo(1).join('\n')).not.toContain('[tool_error]');
  const terminal = createTestTerminal(workspace);
  expect((await terminal.signalbox('config', 'list')).talk).toContain('7 is not between 0 and 1: 1 is used');
  await terminal.stopCoordinator();
  expect(filesWith(join(workspace, '.signalbox'), 'Kassel')).toEqual([]);
});

test('a model without native tools has no field for thoughts, and is offered all tools (S001-71, S001-77)', async () => {
  const { requests } = await runRecordedSession({
    agent: { tool_filter: { enabled: true, top_k: 1, never_left_out: [] } },
    tools: { tafc: { enabled: true, complexity_threshold: 0 } },
    providers: { local: { native_tools: false } },
  });
  const prompt = JSON.stringify(requests[0]?.messages);
  expect(prompt).not.toContain('_tafc_think');
  for (const name of ['git_log', 'write_file', 'run_tests']) expect(prompt).toContain(name);
  expect(prompt).not.toContain('find_tools');
});

/** The files below a folder that contain these bytes. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && readFileSync(path).includes(text) ? [path] : [];
  });
}
