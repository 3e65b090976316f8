import { definePrograms, type Invocation, named, WRITES_UNKNOWN } from '../../program.ts';
import { isSecret } from '../../paths/path-words.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { beginningOf, textOf } from '../../word.ts';
import { defineClient } from './define-client.ts';

/** Statements that change or delete, and such commands of other databases. */
export const DESTROYS =
  /\b(?:drop|truncate|delete|update|insert|alter|grant|revoke|create|replace|merge|vacuum|reindex|copy|dropDatabase|flushall|flushdb|shutdown|remove|deleteMany|dropdb|pg_terminate_backend|pg_cancel_backend|lo_export|lo_import|pg_read_file|pg_ls_dir|dblink|setval|nextval|into|del|unlink|hdel|lpop|rpop|expire|persist|rename|migrate|(?<!-)eval(?!\()|evalsha|script|slaveof|replicaof|bgsave|bgrewriteaof|config\s+set|module\s+load|pragma\s+writable_schema)\b|^\\[!ogw]/i;

/** Clients of databases. */
export const databases = definePrograms(
  defineClient({
    names: named(
      'psql mysql mariadb mongosh mongo redis-cli cqlsh clickhouse-client sqlcmd sqlplus influx cockroach valkey-cli',
    ),
    depth: Number.POSITIVE_INFINITY,
    reads: /^\s*(?:select|show|explain|describe|\\d|\\l|\.tables|\.schema|get|keys|info|ping)\b/i,
    local: /^(?:--version|-V|--help)$/,
    changes: DESTROYS,
    judge: judgeSql,
    examples: {
      safe: ['psql --version'],
      warning: ["psql -c 'SELECT 1'", "psql -o x -c 'SELECT 1'", 'redis-cli ping'],
      dangerous: [
        "psql -c 'DROP DATABASE app'",
        'psql -f x.sql',
        'psql -f .env',
        'redis-cli flushall',
        'redis-cli config set dir /etc',
        'mysql -e "delete from t"',
        'psql < x.sql',
        'psql "$url"',
        "psql -c '\\! id'",
        "psql -c 'select * into copied from users'",
      ],
    },
  }),
  defineClient({
    names: named(
      'dropdb createdb dropuser createuser pg_dump pg_dumpall pg_restore mysqldump mongodump mongorestore initdb pg_ctl mysqladmin rabbitmqctl kafka-topics etcdctl consul nomad mongoimport mongoexport pg_upgrade',
    ),
    reads: /^(?:status|list|get|members)$/,
    changes: /.*/,
    otherwise: 'dangerous',
    examples: { dangerous: ['dropdb app', 'pg_dump app', 'createdb x'] },
  }),
);

/** The client's output also goes into a file, or only there. */
const OUTPUT = /^(?:-o|-L|--output|--log-file|--tee|--rdb)$/;

/** A script from a file or a pipe, and client commands that reach outside it. */
function judgeSql({ words, context, span }: Invocation): void {
  const texts = words.map((word) => beginningOf(word));
  for (const [at, word] of words.entries()) {
    if (isSecret(beginningOf(word))) touchRead(context, word);
    const file = OUTPUT.test(textOf(word) ?? '') ? words[at + 1] : undefined;
    if (file !== undefined) touchWrite(context, file);
    else if (/^--(?:output|log-file|tee|rdb|pager|dump)=/.test(beginningOf(word)))
      context.report.effect(WRITES_UNKNOWN);
  }
  const fromFile =
    texts.some((text) => /^(?:-f|--file|-i)/.test(text)) || context.state.stdin.kind !== 'none';
  // For Redis these are two words.
  const reconfigures = /\b(?:config set|module load)\b/i.test(texts.join(' '));
  const leaves = texts.some(
    (text) =>
      DESTROYS.test(text) ||
      /\\!|\.shell|\.system|\.output|\.once|\.import|\.read|\\copy|\\o|system\s|outfile|load_file|program\s/i.test(
        text,
      ),
  );
  if (!fromFile && !leaves && !reconfigures) return;
  context.report.raise('dangerous', 'database', { text: 'changes a database, or runs a script in it', span });
  context.report.effect(WRITES_UNKNOWN);
}
