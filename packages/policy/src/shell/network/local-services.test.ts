import { expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';

/** The hosts that a line would talk to; `?` for an unnamed one. */
const hosts = (line: string): readonly string[] =>
  classifyLine(line, { cwd: '/repo', workspace: '/repo' }).effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host ?? '?'] : [],
  );

test.for([
  ["psql -c 'select 1'", 'localhost:5432'],
  ['psql -h localhost -p 5433 app', 'localhost:5433'],
  ['psql --host=127.0.0.1 --port=5434 app', 'localhost:5434'],
  ['psql postgres://ana:x@localhost:5444/app', 'localhost:5444'],
  ['psql postgres://localhost/app', 'localhost:5432'],
  ['pg_dump app', 'localhost:5432'],
  ['redis-cli -p 6380 get a', 'localhost:6380'],
  ['mysql -P3307 app', 'localhost:3307'],
  ['mongosh', 'localhost:27017'],
  ['psql -h db.example.com', 'db.example.com'],
  ['psql postgres://db.example.com:5433/app', 'db.example.com'],
  ['mix ecto.drop', 'localhost:5432'],
  ['mix ecto.migrate', 'localhost:5432'],
  ['bundle exec rails db:migrate', 'localhost:5432'],
  ['bin/rails db:seed', 'localhost:5432'],
  ['python manage.py migrate', 'localhost:5432'],
  ['php artisan migrate', 'localhost:3306'],
  ['npx prisma migrate dev', 'localhost:5432'],
  ['alembic upgrade head', 'localhost:5432'],
  ['nc -zv localhost 5432', 'localhost:5432'],
  ['nc -z 127.0.0.1 6379', '127.0.0.1:6379'],
  ['nc host.example 80', 'host.example'],
  ['curl -s localhost:3000/health', 'localhost:3000'],
  ['curl http://127.0.0.1/', '127.0.0.1:80'],
  ['curl -k https://localhost/x', 'localhost:443'],
  ['curl -I http://[::1]:5000/', '[::1]:5000'],
  ['wget -qO- http://localhost:8080/metrics', 'localhost:8080'],
] as const)('%s talks to %s (S003-92)', ([line, host]) => expect(hosts(line)).toEqual([host]));

test.for([
  'PGHOST=db psql',
  'psql service=app',
  'psql "host=db dbname=app"',
  'psql -h "$HOST"',
  'psql -p "5432,5433" -h a,b',
  'nc -l 4444',
  'nc localhost',
  'nc "$h" 80',
  'prisma generate',
])('%s does not name its host', (line) => expect(hosts(line)).toContain('?'));

test.for([
  'psql --version',
  'mix test',
  'python migrate',
  'rails test',
  'rails db:migrate --help',
  'alembic --help',
])('%s names no service', (line) => expect(hosts(line).filter((host) => host !== '?')).toEqual([]));
