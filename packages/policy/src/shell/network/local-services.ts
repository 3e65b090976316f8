import type { Effect } from '@signalbox/core';
import { hostOf, isLoopback } from '../host-of.ts';
import type { EvaluationContext } from '../program.ts';
import type { Report } from '../report/report.ts';
import { textOf, type Word } from '../word.ts';

/** How a database client is given the address. */
type Client = Readonly<{ port: number; host: RegExp; portOption: RegExp }>;

const POSTGRES: Client = { port: 5432, host: /^(?:-h|--host)$/, portOption: /^(?:-p|--port)$/ };
const MYSQL: Client = { port: 3306, host: /^(?:-h|--host)$/, portOption: /^(?:-P|--port)$/ };
const REDIS: Client = { port: 6379, host: /^-h$/, portOption: /^-p$/ };
const MONGO: Client = { port: 27_017, host: /^--host$/, portOption: /^--port$/ };

const CLIENTS: ReadonlyMap<string, Client> = new Map([
  ...words(
    'psql pg_dump pg_dumpall pg_restore pg_isready createdb dropdb createuser dropuser vacuumdb reindexdb',
  ).map((name) => [name, POSTGRES] as const),
  ...words('mysql mariadb mysqldump mysqladmin mariadb-dump mysqlimport').map(
    (name) => [name, MYSQL] as const,
  ),
  ...words('redis-cli valkey-cli').map((name) => [name, REDIS] as const),
  ...words('mongosh mongo mongodump mongorestore mongoimport mongoexport').map(
    (name) => [name, MONGO] as const,
  ),
]);

/** Tasks of frameworks that open the project's database: its address is in the project, so it is the usual one. */
const TASKS: readonly Readonly<{ programs: RegExp; task: RegExp; port: number }>[] = [
  { programs: /^mix$/, task: /^ecto\.(?:create|drop|migrate|rollback|reset|setup|load|dump)$/, port: 5432 },
  { programs: /^(?:rails|rake)$/, task: /^db:/, port: 5432 },
  {
    programs: /^(?:python[\d.]*|py|manage\.py)$/,
    task: /^(?:migrate|flush|sqlflush|dbshell|loaddata|dumpdata|inspectdb|showmigrations)$/,
    port: 5432,
  },
  { programs: /^(?:django-admin|flask)$/, task: /^(?:migrate|flush|dbshell|db)$/, port: 5432 },
  { programs: /^(?:php|artisan)$/, task: /^(?:migrate(?::.*)?|db:.*)$/, port: 3306 },
  {
    programs: /^(?:prisma|sequelize|sequelize-cli|typeorm|knex|drizzle-kit)$/,
    task: /^(?:migrate|db|db:.*|migrate:.*|migration:.*|seed(?::.*)?|push|schema:.*)$/,
    port: 5432,
  },
  {
    programs: /^(?:alembic|dbmate|goose|diesel|sqlx|sea-orm-cli|flyway|liquibase)$/,
    task: /^(?:upgrade|downgrade|current|up|down|migrate|rollback|redo|reset|drop|create|database|migration|setup|update|clean|status)$/,
    port: 5432,
  },
];

/**
 * The same context, with access to unnamed hosts replaced by the database that the line means: the one in its options
 * or address, otherwise the usual port of this machine. It stays unknown when it is known only at run time.
 */
export function reachingService(
  program: string,
  given: readonly Word[],
  context: EvaluationContext,
): EvaluationContext {
  if (context.report.sources.variables > 0) return context;
  const texts = given.map((word) => textOf(word));
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length) return context;
  const client = CLIENTS.get(program);
  const host = client === undefined ? undefined : hostOfClient(client, known);
  if (host !== undefined) return naming(host, context);
  const task = TASKS.find(
    ({ programs, task: verb }) => programs.test(program) && known.some((one) => verb.test(one)),
  );
  if (task === undefined || isOnlyHelp(known)) return context;
  const effect: Effect = { kind: 'network', host: `localhost:${task.port}` };
  if (
    /^(?:python|py|php|artisan|manage)/.test(program) &&
    !known.some((one) => /(?:^|\/)(?:manage\.py|artisan)$/.test(one))
  )
    return context;
  context.report.effect(effect);
  return naming(`localhost:${task.port}`, context);
}

function naming(host: string, context: EvaluationContext): EvaluationContext {
  const { report } = context;
  const reported: Report = {
    ...report,
    effect: (effect) =>
      report.effect(
        effect.kind === 'network' && effect.host === undefined && effect.source === undefined
          ? { kind: 'network', host }
          : effect,
      ),
  };
  return { ...context, report: reported };
}

/** Undefined when its words leave that open: a connection string, a socket, a service by name. */
function hostOfClient(client: Client, given: readonly string[]): string | undefined {
  const url = given.find((text) => /^[a-z][a-z+]*:\/\//i.test(text));
  if (url !== undefined) return hostOfUrl(url, client.port);
  if (given.some((text) => /^[\w ]+=|^-u$|service=|^--uri/.test(text))) return undefined;
  const host = optionOf(given, client.host) ?? 'localhost';
  const port = optionOf(given, client.portOption) ?? String(client.port);
  const name = hostOf(host);
  if (name === undefined || !/^\d{1,5}$/.test(port)) return undefined;
  return isLoopback(name) ? `localhost:${port}` : name;
}

/** `-h x`, `-hx`, `--host=x`. */
function optionOf(given: readonly string[], named: RegExp): string | undefined {
  for (const [at, text] of given.entries()) {
    if (named.test(text)) return given[at + 1];
    const [, long, value] = /^(--[a-z]+)=(.*)$/s.exec(text) ?? [];
    if (long !== undefined && named.test(long)) return value;
    if (/^-[a-zA-Z].+/s.test(text) && named.test(text.slice(0, 2))) return text.slice(2);
  }
  return undefined;
}

function hostOfUrl(url: string, port: number): string | undefined {
  const name = hostOf(url);
  if (name === undefined || !isLoopback(name)) return name;
  const written = /^[a-z][a-z+]*:\/\/[^/?#]*?:(\d{1,5})(?:[/?#]|$)/i.exec(
    url.replace(/\/\/[^/?#]*@/, '//'),
  )?.[1];
  return `localhost:${written ?? port}`;
}

function isOnlyHelp(given: readonly string[]): boolean {
  return given.some((text) => /^(?:--help|-h|help)$/.test(text));
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
