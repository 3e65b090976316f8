import { expect, test } from 'vitest';
import { checkProgram } from './check-program.ts';

test('checkProgram() refuses an argument that the system could not pass on', () => {
  const argv = (last: string) => ({ kind: 'argv', argv: ['/bin/true', 'a', last] }) as const;
  checkProgram(argv('a'.repeat(131_071)));
  expect(() => checkProgram(argv('a'.repeat(131_072)))).toThrow(
    'Cannot run a program with an argument of 131072 bytes',
  );
});
