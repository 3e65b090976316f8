import { expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';

test.each([
  'curl https://x.example/a/b',
  'wget http://x.example/src/a.rs',
  'git clone https://x.example/a/b.git',
  'npm install https://x.example/p.tgz',
  'cargo add --git https://x.example/a/b',
  'python3 get.py http://x.example/src/a.rs',
  'echo https://x.example/a > out.txt',
])('no path in %j is that of its URL (S001-35)', (line) => {
  const paths = classifyLine(line, { cwd: '/repo' }).effects.flatMap((effect) =>
    'path' in effect ? [effect.path] : [],
  );
  expect(paths.filter((path) => /https?:|x\.example/.test(path))).toEqual([]);
});
