import type { EvaluationContext } from './program.ts';
import { beginningOf, textOf, type Word } from './word.ts';

/** Resources of commands that are not paths: ports they listen on, caches of package managers. */

/** The cache or store that installs of a package manager share, by the name of its resource. */
const CACHES: Readonly<Record<string, string>> = {
  npm: 'npm-cache',
  pnpm: 'pnpm-store',
  yarn: 'yarn-cache',
  bun: 'bun-cache',
  pip: 'pip-cache',
  pipx: 'pip-cache',
  uv: 'uv-cache',
  poetry: 'poetry-cache',
  cargo: 'cargo-registry',
  go: 'go-mod-cache',
  mix: 'hex-cache',
  bundle: 'gem-cache',
  gem: 'gem-cache',
  composer: 'composer-cache',
};

/** An install of `program` (`npm install`, `cargo add`) holds the cache it fills. */
export function holdCache(program: string, { report }: EvaluationContext): void {
  const resource = CACHES[program.replace(/ .*$/s, '')];
  if (resource !== undefined) report.effect({ kind: 'resource', resource, access: 'write' });
}

/** Programs whose `--port` is a port of the remote end. */
const CLIENTS =
  /^(?:psql|pg_\w+|createdb|dropdb|mysql\w*|mariadb|mongo\w*|redis-cli|valkey-cli|cqlsh|influx|clickhouse-client|ssh\w*|scp|sftp|rsync|curl|wget|telnet|nmap|ping|dig|mosh|git)$/;
/** Programs, or runners of programs, whose `-p` is the port they listen on. */
const SERVERS =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|next|nuxt|vite|astro|serve|http-server|live-server|json-server|webpack|rails|puma|rackup|thin|flask|uvicorn|gunicorn|hypercorn|jekyll|hugo|mkdocs|node|tsx|deno|docker|podman|nerdctl)$/;

/** `vite --port 3000`, `docker run -p 8080:80`, `python -m http.server 8000` hold the port they open. */
export function holdPorts(program: string, words: readonly Word[], context: EvaluationContext): void {
  if (CLIENTS.test(program)) return;
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    const next = textOf(words[at + 1]) ?? '';
    const glued = /^--(?:port|publish)=(.+)$/.exec(text)?.[1];
    if (glued !== undefined) holdPort(glued, context);
    else if (/^--(?:port|publish)$/.test(text)) holdPort(next, context);
    else if (text === '-p' && SERVERS.test(program)) holdPort(next, context);
    else if (text === 'http.server') holdPort(/^\d+$/.test(next) ? next : '8000', context);
    else if (text === '-S' && program === 'php') holdPort(next.replace(/^.*:/s, ''), context);
    else if (program === 'kubectl' && /^\d+:\d+$/.test(text) && textOf(words[0]) === 'port-forward')
      holdPort(text, context);
  }
}

/** `3000`, `8080:80` or `127.0.0.1:8080:80`: the port of this machine is the last but one. */
export function holdPort(text: string, { report }: EvaluationContext): void {
  const ports = text.replace(/\/(?:tcp|udp)$/, '').split(':');
  const port = Number(ports.at(-2) ?? ports.at(-1));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return;
  report.effect({ kind: 'resource', resource: `port:${port}`, access: 'write' });
}
