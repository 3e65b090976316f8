import { hasOption, valueOf } from '../../options.ts';
import { definePrograms, type Invocation, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { noteLink, noteUnknownLink } from '../../paths/links.ts';
import { isInOwnFolder } from '../../paths/own-folders.ts';
import { absolutePath } from '../../paths/paths.ts';
import { looksLikeFile } from '../../paths/path-words.ts';
import { touchMove, touchRead, touchWrite } from '../../paths/touch.ts';
import { literal, textOf, textsOf, type Word } from '../../word.ts';

const COPY_OPTIONS =
  '-abdfHilLnpPRrsTuvxZcX -t: -S: --archive --attributes-only --backup? --copy-contents --no-dereference --dereference --force --interactive --link --no-clobber --preserve? --no-preserve= --parents --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory= --no-target-directory --update? --verbose --one-file-system --context? --no-copy --exchange';

/** Programs that copy, move or link files. */
export const copyFiles = definePrograms(
  {
    names: ['cp', 'gcp'],
    options: COPY_OPTIONS,
    changes: targetOf,
    judge: ({ options, context }) => {
      const recursive = hasOption(options, '-r', '-R', '-a', '--recursive', '--archive');
      const { sources, target } = endsOf(options);
      keepsBackups(options, context);
      for (const source of sources) touchRead(context, source, { scope: recursive ? 'tree' : 'file' });
      const whole =
        recursive || hasOption(options, '--parents') || (!isExact(options) && mayBeFolder(sources, target));
      if (target !== undefined)
        writeInto(context, sources, {
          target,
          whole,
          isFolder: hasOption(options, '-t', '--target-directory'),
        });
      if (
        hasOption(
          options,
          '-a',
          '-d',
          '-P',
          '-R',
          '-r',
          '-s',
          '--archive',
          '--no-dereference',
          '--recursive',
          '--symbolic-link',
        )
      )
        noteCopiedLinks(target, context);
    },
    level: 'warning',
    code: 'copies',
    text: 'copies files',
    examples: {
      warning: ['cp a.txt b.txt', 'cp -r src dst', 'cp a b dir/'],
      dangerous: ['cp .env x', 'cp a ../b', 'cp ~/.ssh/id_rsa x'],
      blocked: ['cp x /usr/bin/y', 'cp -t /etc x'],
    },
  },
  {
    names: ['mv', 'gmv'],
    options: COPY_OPTIONS,
    judge: ({ options, context }) => {
      const { sources, target } = endsOf(options);
      if (textOf(target) === '/dev/null')
        context.report.raise('dangerous', 'destroys', {
          text: 'moves files to /dev/null',
          span: target?.span,
        });
      keepsBackups(options, context);
      for (const source of sources)
        touchMove(context, source, { scope: isFile(source, context) ? 'file' : 'tree' });
      const whole = sources.some((source) => !isFile(source, context));
      if (target !== undefined)
        writeInto(context, sources, {
          target,
          whole:
            (whole && !(target.kind === 'literal' && looksLikeFile(target.text))) ||
            (!isExact(options) && mayBeFolder(sources, target)),
          isFolder: hasOption(options, '-t', '--target-directory'),
        });
      noteCopiedLinks(target, context);
    },
    changes: (options) => [...options.operands, ...targetOf(options)],
    level: 'warning',
    code: 'moves',
    text: 'moves files',
    examples: {
      warning: ['mv a.ts b.ts', 'mv a.ts lib/'],
      dangerous: ['mv a ../b', 'mv src ~/x', 'mv a /dev/null'],
      blocked: ['mv x /etc/y', 'mv /etc/hosts .'],
    },
  },
  {
    names: ['ln', 'link', 'symlink'],
    options:
      '-bdfFiLnPrsTv -S: -t: --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory= --no-target-directory --verbose',
    level: 'warning',
    code: 'creates',
    text: 'creates a link',
    judge: ({ options, context }) => {
      const { sources, target } = endsOf(options);
      keepsBackups(options, context);
      for (const source of sources) touchRead(context, source);
      const whole = !isExact(options) && mayBeFolder(sources, target);
      if (target !== undefined)
        writeInto(context, sources, {
          target,
          whole,
          isFolder: hasOption(options, '-t', '--target-directory'),
        });
      else
        for (const source of sources)
          writeInto(context, [source], { target: literal('./', source.span), whole: false, isFolder: true });
      noteLinks(sources, target, context);
    },
    examples: {
      warning: ['ln -s a b'],
      dangerous: ['ln -s ~/.ssh/id_rsa x', 'ln -s a ../b', 'ln -s .. up; touch up/a'],
      blocked: ['ln -sf x /usr/bin/y', 'ln -s /etc x && echo y > x/hosts'],
    },
  },
  {
    names: ['install'],
    options:
      '-bcCdDpsTvZ -g: -m: -o: -S: -t: --backup? --compare --directory --group= --mode= --owner= --preserve-timestamps --strip --strip-program=program --suffix= --target-directory= --no-target-directory --verbose',
    level: 'warning',
    code: 'copies',
    text: 'copies files',
    judge: ({ options, context, span }) => {
      const mode = textOf(valueOf(options, '-m', '--mode')) ?? '';
      if (/^0?[0-7]?777$|^[2467][0-7]{3}$|^0?[4627][0-7]{3}$|\+s|a[+=]rwx/.test(mode))
        context.report.raise('blocked', 'permissions', {
          text: 'gives everyone full access, or sets setuid or setgid',
          span,
        });
      if (hasOption(options, '-d', '--directory')) {
        for (const word of options.operands) touchWrite(context, word);
        return;
      }
      const { sources, target } = endsOf(options);
      keepsBackups(options, context);
      for (const source of sources) touchRead(context, source);
      const whole = !isExact(options) && mayBeFolder(sources, target);
      if (target !== undefined)
        writeInto(context, sources, {
          target,
          whole,
          isFolder: hasOption(options, '-t', '--target-directory'),
        });
    },
    examples: { warning: ['install -m 755 a b', 'install -d out'], blocked: ['install x /usr/local/bin/x'] },
  },
);

function endsOf(options: Invocation['options']): { sources: readonly Word[]; target: Word | undefined } {
  const folder = valueOf(options, '-t', '--target-directory');
  if (folder !== undefined) return { sources: options.operands, target: folder };
  if (options.operands.length < 2) return { sources: options.operands, target: undefined };
  return { sources: options.operands.slice(0, -1), target: options.operands.at(-1) };
}

function targetOf(options: Invocation['options']): readonly Word[] {
  const { target } = endsOf(options);
  return target === undefined ? [] : [target];
}

/** `cp -b a b`: the old content is kept under another name. */
function keepsBackups(options: Invocation['options'], context: EvaluationContext): void {
  if (hasOption(options, '-b', '-S', '--backup', '--suffix')) context.report.effect(WRITES_UNKNOWN);
}

/** With `-T` the target is not a folder, and with `-t` it is one: no guess is needed. */
function isExact(options: Invocation['options']): boolean {
  return hasOption(options, '-T', '-t', '--no-target-directory', '--target-directory');
}

/** `mv a.ts lib`: a file that goes to a name without a dot goes into the folder, if there is one. */
function mayBeFolder(sources: readonly Word[], target: Word | undefined): boolean {
  const text = textOf(target);
  if (text === undefined || sources.length !== 1 || text.endsWith('/')) return false;
  const [source] = sources;
  const name = lastName(text);
  return (
    !name.includes('.') && !looksLikeFile(name) && source?.kind === 'literal' && looksLikeFile(source.text)
  );
}

/** `ln -s /etc x`: what this line then does to `x` it does to `/etc`. */
function noteLinks(sources: readonly Word[], target: Word | undefined, context: EvaluationContext): void {
  const given = target === undefined ? '.' : textOf(target);
  const linkPath = given === undefined ? undefined : absoluteIn(given, context);
  if (given === undefined || linkPath === undefined) return;
  for (const source of sources) {
    const from = textOf(source);
    if (from === undefined) noteUnknownLink(linkPath, context);
    else noteLink(`${linkPath}/${lastName(from)}`, absolutePath(from, linkPath), context);
  }
  // The target may be the folder of the link, or the link.
  const from = sources.length === 1 ? textOf(sources[0]) : undefined;
  if (from === undefined || given.endsWith('/') || target === undefined) return;
  noteLink(linkPath, absolutePath(from, linkPath.replace(/\/[^/]*$/, '') || '/'), context);
}

/** `cp -P a /tmp/x`, `mv a /tmp/`: a link there stays a link here. */
function noteCopiedLinks(target: Word | undefined, context: EvaluationContext): void {
  const linkPath = absoluteIn(textOf(target) ?? '', context);
  if (linkPath !== undefined && isInOwnFolder(linkPath, context.lineContext))
    noteUnknownLink(linkPath, context);
}

/** Absolute; undefined when it can't be known. */
function absoluteIn(text: string, { state }: EvaluationContext): string | undefined {
  if (text === '' || (state.cwd === undefined && !text.startsWith('/'))) return undefined;
  return absolutePath(text, state.cwd ?? '/');
}

/** Where copies are written: at the target, or under their own names inside it. */
function writeInto(
  context: EvaluationContext,
  sources: readonly Word[],
  { target, whole, isFolder }: Readonly<{ target: Word; whole: boolean; isFolder: boolean }>,
): void {
  const folder = textOf(target);
  const manySources =
    sources.length > 1 ||
    sources.some(
      (source) =>
        source.kind === 'glob' || (source.kind === 'dynamic' && source.splits) || source.kind === 'below',
    );
  const into =
    isFolder ||
    manySources ||
    (folder !== undefined &&
      /(?:^|\/)\.{0,2}\/?$/.test(folder) &&
      (folder.endsWith('/') || /(?:^|\/)\.{1,2}$/.test(folder)));
  if (whole || folder === undefined) return touchWrite(context, target, { scope: whole ? 'tree' : 'file' });
  if (!into) return touchWrite(context, target);
  for (const source of sources) {
    const texts = textsOf(source);
    if (texts === undefined) touchWrite(context, target, { scope: 'tree' });
    else for (const text of texts) touchWrite(context, literal(`${folder}/${lastName(text)}`, target.span));
  }
}

/** The last part of a path; empty for `/`. */
function lastName(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '')
    .slice(-1)
    .join('');
}

/** By its name, or because this line printed into it: `jq . a.json > new && mv new a.json`. */
function isFile(word: Word, context: EvaluationContext): boolean {
  if (word.kind === 'glob') return true;
  const { cwd } = context.state;
  const isOutput = (text: string): boolean =>
    cwd !== undefined && context.walk.written.get(absolutePath(text, cwd))?.isFile === true;
  return textsOf(word)?.every((text) => looksLikeFile(text) || isOutput(text)) ?? false;
}
