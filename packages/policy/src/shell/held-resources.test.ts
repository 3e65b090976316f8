import { describe, expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';

function heldBy(line: string): readonly string[] {
  const { effects } = classifyLine(line, { cwd: '/repo' });
  return effects.flatMap((effect) =>
    effect.kind === 'resource' ? [`${effect.access} ${effect.resource}`] : [],
  );
}

describe('resources of a command other than paths (L-37)', () => {
  test.each([
    ['vite --port 3000', ['write port:3000']],
    ['npm run dev -- --port=5173', ['write port:5173']],
    ['next dev -p 8080', ['write port:8080']],
    ['PORT=4000 npm start', ['write port:4000']],
    ['env PORT=4000 node server.js', ['write port:4000']],
    ['docker run --rm -p 8080:80 -p 127.0.0.1:9090:90/tcp x', ['write port:8080', 'write port:9090']],
    ['python -m http.server', ['write port:8000']],
    ['python3 -m http.server 9000', ['write port:9000']],
    ['php -S localhost:8001', ['write port:8001']],
    ['kubectl port-forward svc/api 8080:80', ['write port:8080']],
    ['timeout 60 serve -p 3001', ['write port:3001']],
  ])('%j holds the ports it listens on', (line, held) => {
    expect(heldBy(line)).toEqual(held);
  });

  test.each([
    'psql -p 5432 -c "select 1"',
    'ssh -p 2222 host',
    'mkdir -p 8080',
    'git log -p 3000',
    'curl http://localhost:3000',
    'vite --port 0',
    'vite --port 70000',
    'vite --port "$P"',
  ])('%j holds no port', (line) => {
    expect(heldBy(line).filter((one) => one.includes('port:'))).toEqual([]);
  });

  test.each([
    ['npm install express', 'npm-cache'],
    ['pnpm add zod', 'pnpm-store'],
    ['yarn', 'yarn-cache'],
    ['bun add x', 'bun-cache'],
    ['pip install flask', 'pip-cache'],
    ['uv sync', 'uv-cache'],
    ['poetry add x', 'poetry-cache'],
    ['cargo add serde', 'cargo-registry'],
    ['go mod tidy', 'go-mod-cache'],
    ['mix deps.get', 'hex-cache'],
    ['bundle install', 'gem-cache'],
    ['composer install', 'composer-cache'],
  ])('%j holds the %s', (line, cache) => {
    expect(heldBy(line)).toEqual([`write ${cache}`]);
  });

  test('reading a package list holds nothing', () => {
    expect(['npm ls', 'pip list', 'cargo tree', 'gem list'].flatMap(heldBy)).toEqual([]);
  });

  test('commands of git hold its index and refs', () => {
    expect(heldBy('git add a')).toEqual(['write git:index', 'write git:objects']);
    expect(heldBy('git commit -m x')).toEqual(['write git:refs', 'write git:index']);
  });
});
