import { expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';

const AT = { cwd: '/work/app', workspace: '/work/app', home: '/home/x' };
const judged = (line: string) => {
  const { reasons, runsRepositoryCode } = classifyLine(line, AT);
  return { sharesNetwork: reasons.some(({ code }) => code === 'shares-network'), runsRepositoryCode };
};

test.each([
  'PYTHONPATH=./lib pip install requests',
  'PYTHONPATH=/opt/x: pip install requests',
  'PYTHONPATH="$x" pip install requests',
  'npm ci; PYTHONPATH=lib pip --version',
  'cd "$x"; PYTHONPATH=lib pip install requests',
  'env NODE_PATH=./lib npm ci',
  'export CLASSPATH=lib; git fetch',
  'CC=./cc pip install requests',
  'CXX="ccache ./cxx" pip install requests',
  'CC=$x pip install requests',
])('%j runs workspace code beside a fetching command', (line) => {
  expect(judged(line)).toEqual({ sharesNetwork: true, runsRepositoryCode: true });
});

test.each([
  'PYTHONPATH=../lib pip install requests',
  'PYTHONPATH=/opt/x:/opt/y pip install requests',
  'PYTHONPATH= pip install requests',
  'CC=gcc pip install requests',
  'CC=../cc pip install requests',
  'env EDITOR=cat PYTHONPATH=/opt/x pip install requests',
  'export PYTHONPATH=/opt/x; pip install requests',
])("%j runs the user's own code", (line) => {
  expect(judged(line)).toEqual({ sharesNetwork: false, runsRepositoryCode: false });
});

test('tests that are known to run it keep the network of their line', () => {
  expect(judged('npm ci; PYTHONPATH=src pytest')).toEqual({ sharesNetwork: false, runsRepositoryCode: true });
});
