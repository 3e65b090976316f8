import { definePrograms, named, type EvaluationContext } from '../../program.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import { defineClient } from '../services/define-client.ts';

/** Tasks that empty or drop a database: `db:drop`, `migrate:fresh`, `flush`. */
const EMPTIES =
  /(?:^|:)(?:drop|reset|wipe|fresh|refresh|rollback|flush|sqlflush|reset_db|truncate|purge|undo(?::.*)?|clean|downgrade|drop-all|revert|down|upload)$/s;

/** Tools that change the schema of a database. */
export const frameworks = definePrograms(
  defineClient({
    names: named(
      'prisma sequelize sequelize-cli typeorm knex drizzle-kit alembic flyway liquibase dbmate goose diesel sqlx sea-orm-cli migrate atlas',
    ),
    reads:
      /^(?:status|info|history|current|heads|show|list|validate|format|generate|version|migrate:status|migrate:list)$/,
    writes: /^(?:generate|init|create|new|make|format|dump|introspect|pull|export|-o|--out.*)$/,
    changes: EMPTIES,
    judge: ({ words, context, span }) => {
      if (words.some((word) => /^--(?:force-reset|accept-data-loss)/.test(beginningOf(word))))
        context.report.raise('dangerous', 'database', { text: 'empties a database', span });
    },
    examples: {
      warning: ['prisma generate', 'alembic history', 'alembic upgrade head', 'npx knex migrate:latest'],
      dangerous: [
        'prisma migrate reset --force',
        'npx prisma db push --force-reset',
        'alembic downgrade base',
        'knex migrate:rollback --all',
        'flyway clean',
        'npx sequelize db:drop',
      ],
    },
  }),
);

const CHECK_TASKS =
  /^(?:test|check|showmigrations|diffsettings|list|about|route:list|migrate:status|config:show|env|inspire|--version|-V)$/;

/** Harmless words of such a task: names of tests, settings by the name of a module. */
const CHECK_WORDS =
  /^(?:[^-].*|-[vkblnps]|--(?:keepdb|parallel|verbosity|failfast|tag|exclude-tag|no-?input|reverse|shuffle|timing|buffer|plan|list|deploy|fail-level|traceback|no-color|force-color|filter|testsuite|group|exclude-group|stop-on-failure|stop-on-error|compact|min|coverage|env|without-tty|processes|recreate-databases|path|name|method|json|except-vendor|only-vendor|sort|raw|ansi|no-ansi|no-interaction|quiet|verbose|pending|settings=[\w.]+)(?:=.*)?)$/;

/** `python manage.py test`, `php artisan route:list`: tests and lists of a known framework. */
export function isCheckTask(words: readonly Word[]): boolean {
  const [script, task, ...rest] = words;
  return (
    /^(?:\.\/)?(?:manage\.py|artisan)$/.test(textOf(script) ?? '') &&
    CHECK_TASKS.test(textOf(task) ?? '') &&
    rest.every((word) => CHECK_WORDS.test(textOf(word) ?? '-?'))
  );
}

const CONSOLES = /^(?:tinker|shell|shell_plus|dbshell|console|runner)$/;

/** `php artisan db:wipe`, `python manage.py flush`: scripts whose tasks are known by name. */
export function judgeFrameworkTask(script: Word, rest: readonly Word[], context: EvaluationContext): void {
  if (!/(?:^|\/)(?:artisan|manage\.py|setup\.py|console|spark|craft)$/.test(textOf(script) ?? '')) return;
  const task = rest.find((word) => !beginningOf(word).startsWith('-'));
  if (task !== undefined) judgeTask(task, context);
}

/** A task of a framework, by its name. */
export function judgeTask(task: Word, { report }: EvaluationContext): void {
  const name = textOf(task) ?? '';
  if (EMPTIES.test(name))
    report.raise('dangerous', 'database', { text: `empties a database with ${name}`, span: task.span });
  if (CONSOLES.test(name))
    report.raise('dangerous', 'console', { text: `runs application code with ${name}`, span: task.span });
}
