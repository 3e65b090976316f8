import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const PAGE = join(import.meta.dirname, '../../../../../docs/configuration.md');

/** The example of that page, as a reader would copy it. */
function preset(): string {
  const [, text] =
    /The defaults of specification 003:\n\n```yaml\n([^`]*)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  if (text === undefined) throw new Error('docs/configuration.md has no such example');
  return text;
}

/** Their rulings. */
const WORKFLOWS: readonly (readonly [line: string, ruling: 'allow' | 'ask' | 'deny'])[] = [
  ['mix test', 'allow'],
  ['mix compile', 'allow'],
  ['cat a.txt', 'allow'],
  ['git status', 'allow'],
  ['mix format', 'ask'],
  ['git commit -m "repair"', 'ask'],
  ['mix ecto.drop', 'ask'],
  ['mix test && git push', 'deny'],
];

test('the preset of specification 003 judges the lines of its workflows as specified (S003 F1, S003-26, S003-34, S003-67, S003-92)', async () => {
  const workspace = ownWorkspace({ 'a.txt': 'a\n' });
  await writeOwnSettings(workspace, { text: preset() });
  const terminal = createTestTerminal(workspace);
  const answers: (readonly [string, string])[] = [];
  for (const [line] of WORKFLOWS) {
    const { out } = await terminal.signalbox('check', '--provider', 'openai', '--json', '--', line);
    // How it ends where mix isn't installed does not matter here.
    answers.push([line, (JSON.parse(out) as { ruling: { kind: string } }).ruling.kind]);
  }
  expect(answers).toEqual(WORKFLOWS);
});
