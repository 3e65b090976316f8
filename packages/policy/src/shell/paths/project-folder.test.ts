import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';

const AT = { cwd: '/repo', workspace: '/repo', home: '/home/ana' };
const effectsOf = (line: string) => classifyLine(line, AT).effects;

describe('a program that runs in another folder is judged as if the line were there', () => {
  test.each([
    ['npm --prefix web ci', 'web/node_modules', 'tree'],
    ['pnpm -C web install', 'web/pnpm-lock.yaml', 'file'],
    ['yarn --cwd=web add zod', 'web/package.json', 'file'],
    ['make -C web -C ui DESTDIR=out install', 'web/ui/out', 'tree'],
    ['make -kCweb DESTDIR=out install', 'web/out', 'tree'],
    ['make -di DESTDIR=out install', 'out', 'tree'],
    ['go -C web test -coverprofile=c.out ./...', 'web/c.out', 'file'],
    ['cargo -C web test', 'web/target', 'tree'],
    ['cargo test --manifest-path web/Cargo.toml', 'web/target', 'tree'],
    ['cargo test --manifest-path Cargo.toml', 'target', 'tree'],
    ['uv --directory web run pytest', 'web/.pytest_cache', 'tree'],
    ['poetry run cargo -C web test', 'web/target', 'tree'],
    ['pnpm exec cargo -C web test', 'web/target', 'tree'],
    ['yarn exec make -C web DESTDIR=out install', 'web/out', 'tree'],
  ])('%s writes %s', (line, path, scope) => {
    expect(effectsOf(line)).toContainEqual({ kind: 'write', path, scope });
  });
});

test('an option of a started program is no option of its runner', () => {
  for (const line of ['go run ./x -C ../y', 'uv run --with foo x.py --directory ../x'])
    expect(classifyLine(line, AT).reasons.map(({ code }) => code)).not.toContain('other-folder');
});

test.each([
  'npm --prefix web test',
  'npm -C web run x',
  'yarn --cwd web test',
  'pnpm --dir web test',
  'make -C web',
  'go -C web test ./...',
  'cargo test --manifest-path web/Cargo.toml',
  'uv run node x.js',
  'poetry -C web run pytest',
])('%j runs code of that folder', (line) =>
  expect(effectsOf(line)).toContainEqual({ kind: 'repository-code' }),
);

test.each(['python -m json.tool a', 'python -m this', 'python -m pip list', 'uv run -m mod'])(
  '%j may run code of its working directory, which Python searches first',
  (line) => expect(effectsOf(line)).toContainEqual({ kind: 'repository-code' }),
);

test.each(['bundle list', 'bundle show rack', 'composer show', 'composer validate'])(
  '%j runs code of the project: its Gemfile, or Composer plugins',
  (line) => expect(effectsOf(line)).toContainEqual({ kind: 'repository-code' }),
);

test('gem lists what is installed, and runs nothing of the project', () => {
  expect(effectsOf('gem list')).toEqual([]);
});

test("a module that the line wrote is the line's own code, when the folder is known", () => {
  const codes = (line: string) => classifyLine(line, AT).reasons.map(({ code }) => code);
  expect(codes('cd web && echo x > mod.py && python -m mod')).toContain('runs-what-it-wrote');
  expect(codes('echo x > mod.py; cd "$d"; python -m mod')).not.toContain('runs-what-it-wrote');
});

test('Python without its working directory runs the module of the system', () => {
  expect(effectsOf('python -I -m json.tool a')).toEqual([{ kind: 'read', path: 'a', scope: 'file' }]);
});

test('only Python gets what `uv run` fetched, and no other program that the line starts', () => {
  const network = (line: string) => effectsOf(line).filter(({ kind }) => kind === 'network');
  const fetched = [{ kind: 'network', source: 'python', optional: true }];
  for (const line of ['uv run x.py', 'uv run python x.py', 'uv run -m mod', 'uv run --script x'])
    expect([line, network(line)]).toEqual([line, fetched]);
  for (const line of ['uv run node x.js', 'uv run ./x', 'uv run'])
    expect([line, network(line)]).toEqual([line, line === 'uv run' ? fetched : []]);
});

test.each([
  'uv run --with foo --directory ../x pytest',
  'uv run -p 3.12 --project=../x pytest',
  'make --direc=../x',
  'make --dir ../x all',
  'npm --pre ../x test',
  'npm test -prefix ../x',
  'npm --prefi=../x run build',
  'npm exec thing --prefix ../x',
  'npm -w ../x test',
  'npm run build --workspace=../x',
  'npm test -w "$PACKAGE"',
  'pnpm --filter ../x test',
  'pnpm --filter={../x}... test',
  'pnpm -F "...{/srv/x}" test',
  "pnpm --filter '!./a/../../x' test",
  "pnpm --filter '*{../x}' test",
  "pnpm --filter 'a{../x}' test",
  "pnpm --filter '...@s/a{/srv/x}...[main]' test",
  "pnpm --filter '@s/a{..}' test",
  'pnpm exec -p thing --dir ../x thing',
  'MAKEFLAGS=--eval=x make',
  'MAKEFLAGS="$X" make',
  'GOFLAGS=-toolexec=./x go test ./...',
  'GOWORK=../go.work go test ./...',
  'GOWORK="$X" go test ./...',
  'RUSTFLAGS="-C linker=./x" cargo build',
  'env GOFLAGS=-overlay=x go build',
])('%j needs approval: it may run code of another folder, or other code', (line) => {
  expect(classifyLine(line, AT).level).toBe('dangerous');
  expect(effectsOf(line)).toContainEqual({ kind: 'write-unknown' });
});

test.each([
  'npm -w web test',
  'npm -w @acme/web test',
  'npm -w packages/web test',
  'npm --workspaces test',
  'npm --print test',
  'npm -p test',
  'pnpm --filter web test',
  'pnpm --filter "...^@acme/web" test',
  'pnpm --filter "web..." test',
  'pnpm --filter "./packages/**" test',
  'pnpm --filter "{packages/web}...[origin/main]" test',
  "pnpm --filter '@s/a{packages/a}' test",
  'make --debug',
  'make --keep-going -j4',
  'MAKEFLAGS=-j4 make',
  'MAKEFLAGS="-j 8 --no-print-directory" make test',
  'GOFLAGS=-mod=mod go build ./...',
  'GOFLAGS="-race -count=1" go test ./...',
  'GOWORK=off go test ./...',
  'GOWORK=go.work go test ./...',
  'RUSTFLAGS="-D warnings" cargo test',
])('%j works here', (line) => expect(classifyLine(line, AT).level).not.toBe('dangerous'));

test.each(['GOFLAGS=-mod=mod go build ./...', 'env GOFLAGS="-v -mod=mod" go vet ./...'])(
  '%j is not safe: it writes',
  (line) => {
    expect(classifyLine(line, AT).level).toBe('warning');
    expect(effectsOf(line)).toContainEqual({ kind: 'write-unknown' });
  },
);

// npm 6 to 11 run the scripts of this folder, with -g too.
test.each([
  'npm -g ls',
  'npm ls -g',
  'npm -g test',
  'npm test -g x',
  'npm -sg run lint',
  'npm test -- -g x',
  'GOFLAGS=-mod=vendor go build ./...',
])('%j is safe', (line) => expect(classifyLine(line, AT).level).toBe('safe'));
