import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const PAGE = join(import.meta.dirname, '../../../../../docs/configuration.md');

/** The example of that page, as somebody would copy it. */
function preset(): string {
  const [, text] =
    /Specification 003 to the letter:\n\n```yaml\n([^`]*)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  if (text === undefined) throw new Error('docs/configuration.md has no such example');
  return text;
}

/** What `check` answers: 0 runs, 4 needs a person, 3 never runs. */
const WORKFLOWS: readonly (readonly [line: string, exit: 0 | 3 | 4])[] = [
  ['mix test', 0],
  ['mix compile', 0],
  ['cat a.txt', 0],
  ['git status', 0],
  ['mix format', 4],
  ['git commit -m "repair"', 4],
  ['mix ecto.drop', 4],
  ['mix test && git push', 3],
];

test('the preset of specification 003 judges the lines of its workflows as that says (S003 F1)', async () => {
  const workspace = ownWorkspace({ 'a.txt': 'a\n' });
  await writeOwnSettings(workspace, preset());
  const terminal = createTestTerminal(workspace);
  const answers: (readonly [string, number])[] = [];
  for (const [line] of WORKFLOWS) answers.push([line, (await terminal.signalbox('check', '--', line)).exit]);
  expect(answers).toEqual(WORKFLOWS);
});
