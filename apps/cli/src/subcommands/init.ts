import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Isolation, SandboxError, settingsJsonSchema, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { findLines } from '../find-lines.ts';
import { keysFound } from '../init/keys-found.ts';
import { gitignoreWith, localFile, SCHEMA_FILE, sharedFile } from '../init/starting-files.ts';
import { writeWhole } from '../settings/write-whole.ts';
import { probeIsolation } from '../probe-isolation.ts';
import { column, gap } from '../screen/cells.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { LOCAL_FILE, SHARED_FILE } from '../settings/load-settings.ts';

/** `signalbox init`: looks at the workspace and writes a short `signalbox.yaml`. */
export const init = defineSubcommand({
  name: 'init',
  args: z.object({
    dir: z.string().optional(),
    print: z.boolean().default(false),
    force: z.boolean().default(false),
  }),
  async run({ dir, print, force }, context) {
    const workspace = resolve(context.directory, dir ?? '.');
    if (!existsSync(workspace))
      throw new UsageError('no-workspace', `Cannot set up "${workspace}": there is no such directory`);
    const providers = keysFound(context.env);
    const { tests } = findLines(workspace, { tests: null, lint: null });
    const shared = sharedFile({ providers, tests });
    if (print) {
      if (context.flags.json) context.json({ workspace, providers, tests, written: [], settings: shared });
      else context.write(shared);
      return EXIT.ok;
    }
    if (existsSync(join(workspace, SHARED_FILE)) && !force) {
      throw new UsageError(
        'already-set-up',
        `Cannot set up "${basename(workspace)}": ${SHARED_FILE} is there already`,
        {
          next: ['signalbox config list', 'signalbox init --force      writes it anew'],
        },
      );
    }
    const gitignoreFile = join(workspace, '.gitignore');
    const gitignore = gitignoreWith(existsSync(gitignoreFile) ? readFileSync(gitignoreFile, 'utf8') : null);
    const files: readonly (readonly [string, string])[] = [
      // A person's own file is never written over.
      ...(existsSync(join(workspace, LOCAL_FILE)) ? [] : [[LOCAL_FILE, localFile()] as const]),
      [SCHEMA_FILE, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`],
      ...(gitignore === null ? [] : [['.gitignore', gitignore] as const]),
      // Last: where it stands a workspace counts as set up.
      [SHARED_FILE, shared],
    ];
    for (const [name, text] of files) writeWhole(join(workspace, name), text);
    const isolation = await probeIsolation({
      workspace,
      path: context.env['PATH'],
      clock: context.clock,
      container: null,
    });
    const written = files.map(([name]) => name);
    context.answer({
      json: () => ({
        workspace,
        providers,
        tests,
        isolation: 'layer' in isolation ? isolation : null,
        written,
      }),
      lines: () => [
        line(as('ok', '✓'), ' ', column(SHARED_FILE, 22), foundText(providers, tests)),
        ...(written.includes(LOCAL_FILE)
          ? [line(as('ok', '✓'), ' ', column(LOCAL_FILE, 22), 'yours: writes of files run without asking')]
          : []),
        ...(gitignore === null ? [] : [line(as('ok', '✓'), ' ', column('.gitignore', 22), '+ .signalbox/')]),
        isolationLine(isolation),
        ...nextLines(providers.length > 0, tests),
      ],
    });
    return EXIT.ok;
  },
});

function foundText(providers: readonly string[], tests: string | null): string {
  const keys = providers.length === 0 ? 'no API keys found' : `${providers.join(', ')} (keys found)`;
  return `${keys} · tests: ${tests ?? 'none found'}`;
}

function isolationLine(isolation: Isolation | SandboxError): Line {
  return 'layer' in isolation
    ? line(as('ok', '✓'), ' ', column('isolation', 22), `${isolation.layer} (signalbox doctor: details)`)
    : line(
        as('danger', '✗'),
        ' ',
        column('isolation', 22),
        'none works here: signalbox doctor says what to do',
      );
}

function nextLines(hasKeys: boolean, tests: string | null): readonly Line[] {
  const demo = line(muted('Next: '), as('accent', 'signalbox demo'), gap(23), '30 seconds, no keys');
  if (hasKeys) {
    const task = tests === null ? 'signalbox run "Add a test"' : 'signalbox run "Make the tests pass"';
    return [demo, line('      ', as('accent', task))];
  }
  return [
    demo,
    line(
      '      ',
      as('accent', 'export OPENAI_API_KEY=…'),
      gap(8),
      'or ANTHROPIC_API_KEY, or DEEPSEEK_API_KEY',
    ),
    line('      ', as('accent', 'signalbox run "…" -p ollama'), '    with a model on this machine'),
  ];
}
