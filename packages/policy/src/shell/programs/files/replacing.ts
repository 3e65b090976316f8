import { hasOption } from '../../options.ts';
import {
  definePrograms,
  type Invocation,
  REPOSITORY_CODE,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { touchDelete, touchRead, touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, mayBeSeveral, textOf, type Word } from '../../word.ts';

/** Programs that change files as `sed -i` does, by a pattern or a patch. */
export const replacing = definePrograms(
  {
    names: ['sd'],
    options: '-pFsA -n: -f: --preview --fixed-strings --string-mode --across --max-replacements= --flags=',
    judge: ({ options, context, span }) => {
      const files = options.operands.slice(2);
      for (const file of files) touchRead(context, file);
      if (files.length === 0 || hasOption(options, '-p', '--preview')) return;
      context.report.raise('warning', 'edits-in-place', { text: 'edits files in place', span });
      for (const file of files) touchWrite(context, file);
    },
    examples: {
      safe: ['sd a b', 'sd -p a b src/x.ts'],
      warning: ['sd foo bar src/x.ts'],
      dangerous: ['sd a b ../x'],
      blocked: ['sd a b /etc/hosts'],
    },
  },
  {
    names: ['sg'],
    unknownOptions: 'any',
    anyOption: 'harmless',
    judge: ({ words, context, span }) => {
      const first = textOf(words[0]) ?? '';
      // With a group and a command it is the old `newgrp`; of both, `-c` is the more serious.
      const isVerb = /^(?:run|scan|test|new|lsp|completions|help)$/.test(first);
      const isGroup =
        isVerb && words.some((word) => beginningOf(word).startsWith('-c') || mayBeSeveral(word));
      const isSearch = (isVerb && !isGroup) || /^--?[a-z]/.test(first);
      context.walk.runWords([literal(isSearch ? 'ast-grep' : 'newgrp', span), ...words], context);
    },
    examples: {
      safe: ['sg -p a src', 'sg scan'],
      warning: ['sg run -p a -r b -U src'],
      blocked: ["sg docker -c 'id'", "sg run -c 'id'", 'sg wheel id', 'sg'],
    },
  },
  {
    names: ['ast-grep'],
    options:
      '-# -hViU0 -p: -r: -l: -j: -A: -B: -C: -c:read --pattern= --rewrite= --lang= --selector= --strictness= --debug-query? --interactive --update-all --json? --color= --heading= --globs= --threads= --no-ignore= --follow --stdin --context= --after= --before= --inspect= --rule=read --inline-rules= --filter= --error? --warning? --info? --hint? --off? --report-style= --format= --skip-snapshot-tests --config=read --help --version',
    judge: judgeAstGrep,
    examples: {
      safe: ['ast-grep -p a -l ts src', 'ast-grep run -p a src', 'ast-grep scan'],
      warning: ['ast-grep run -p a -r b -U src', 'ast-grep scan -U', 'ast-grep new'],
    },
  },
  {
    names: ['apply_patch', 'applypatch'],
    unknownOptions: 'any',
    level: 'warning',
    code: 'applies-patch',
    text: 'applies a patch',
    judge: ({ words, context, span }) => {
      const text = words.length > 0 ? textOf(words[0]) : context.state.stdin.text;
      if (text === undefined || !/^\s*\*\*\* Begin Patch/.test(text) || words.length > 1)
        return context.report.effect(WRITES_UNKNOWN);
      judgePatchText(text, span, context);
    },
    examples: {
      warning: [
        'apply_patch < x.diff',
        "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.ts\n*** End Patch\nE",
      ],
      dangerous: ["apply_patch <<'E'\n*** Begin Patch\n*** Add File: .git/hooks/x\n*** End Patch\nE"],
    },
  },
);

function judgeAstGrep({ options, context, span }: Invocation): void {
  const verb = textOf(options.operands[0]) ?? '';
  const paths = /^(?:run|scan|test)$/.test(verb) ? options.operands.slice(1) : options.operands;
  if (verb === 'scan' || verb === 'test') context.report.effect(REPOSITORY_CODE);
  if (/^(?:new|lsp|completions)$/.test(verb))
    context.report.raise('warning', 'unknown-command', { text: `runs ast-grep ${verb}`, span });
  if (!hasOption(options, '-U', '--update-all', '-i', '--interactive')) return;
  context.report.raise('warning', 'edits-in-place', { text: 'edits files in place', span });
  const roots: readonly Word[] = paths.length === 0 ? [literal('.', span)] : paths;
  for (const root of roots) touchWrite(context, root, { scope: 'tree' });
}

/** In a Codex patch every file is named on its own line. */
function judgePatchText(text: string, span: Word['span'], context: EvaluationContext): void {
  for (const [, verb, path = ''] of text.matchAll(
    /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm,
  )) {
    const file = literal(path.trim(), span);
    if (verb === 'Delete File') touchDelete(context, file);
    else touchWrite(context, file);
  }
}
