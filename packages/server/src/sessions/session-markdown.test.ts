import type { SessionEntry } from '@signalbox/api';
import { expect, test } from 'vitest';
import { markdownOf } from './session-markdown.ts';

const AT = Date.UTC(2026, 10, 28, 3, 0, 0);
const USAGE = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0 };

async function markdown(...entries: readonly SessionEntry[]): Promise<string> {
  let text = '';
  for await (const part of markdownOf(each(entries))) text += part;
  return text;
}

async function* each(entries: readonly SessionEntry[]): AsyncGenerator<SessionEntry> {
  yield* entries;
}

function turn(says: string): SessionEntry {
  return { kind: 'turn', at: AT, turn: 1, says, calls: 0, usage: USAGE as never, costUsd: 0.01 };
}

test('the words of a model are prose: no link, image, heading, list, table or HTML of theirs', async () => {
  const says = [
    '# Heading <script>alert(1)</script>',
    '- item ![x](https://evil.example/p.png) [link](https://evil.example)',
    '1. first | cell `code` **bold** $math$',
    '',
    '    code & more\u202e',
  ].join('\n');
  expect(await markdown(turn(says))).toBe(
    [
      '## Turn 1',
      '',
      '*2026-11-28T03:00:00.000Z · 10 tokens in, 2 out · $0.0100*',
      '',
      String.raw`\# Heading &lt;script&gt;alert(1)&lt;/script&gt;  `,
      String.raw`\- item !\[x\](https://evil.example/p.png) \[link\](https://evil.example)  `,
      String.raw`1\. first \| cell \`code\` \*\*bold\*\* \$math\$  `,
      '',
      '&nbsp;&nbsp;&nbsp;&nbsp;code &amp; more&lt;U+202E&gt;  ',
      '',
      '',
    ].join('\n'),
  );
});

test('a result can’t close its fence, whatever backticks it has', async () => {
  const content = 'before\n`````\n</details><img src=x onerror=alert(1)>\n~~~';
  const text = await markdown({
    kind: 'result',
    at: AT,
    commandId: 'cmd_1',
    success: true,
    outcome: 'completed',
    content,
    notes: ['a *note*'],
    changed: ['src/a_b.ts'],
  });
  expect(text).toContain(`\`\`\`\`\`\`text\n${content}\n\`\`\`\`\`\`\n`);
  expect(text).toContain(String.raw`*a \*note\**`);
  expect(text).toContain(String.raw`Changed: src/a\_b.ts`);
});

test('a question has its choices and its answer', async () => {
  const question = { text: 'Which?', choices: ['a', '# b'], allowText: true };
  const entry = { kind: 'approval', at: AT, commandId: 'cmd_1', status: 'granted', by: 'ana' } as const;
  const text = await markdown({ ...entry, answeredAt: AT, reason: null, question, answer: 'b' });
  expect(text).toBe('Which?  \n\n- a\n- \\# b\n\nAnswered by ana:\n\nb  \n\n');
});
