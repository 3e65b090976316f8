import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandDiagram, withCommandDiagram } from './machine-diagram.ts';

const page = readFileSync(new URL('../../../../docs/internals/commands.md', import.meta.url), 'utf8');

test('docs/internals/commands.md contains the current diagram of the command machine (update it: apps/cli/src/docs.ts)', () => {
  expect(page).toContain(commandDiagram());
  expect(withCommandDiagram(page)).toBe(page);
});

test('every state is in the diagram', () => {
  const drawing = commandDiagram();
  expect(drawing).toContain('  classified_ruling --> approved_entering: ruling.allowed\n');
  expect(drawing).toContain('  queued_checking --> running_working: start.allowed\n');
  expect(drawing).toContain('    running_claiming: claiming\n');
});
