import { type PlannedStep, type PreviewPart, UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import type { PreviewParts } from './preview-parts.ts';

const MAX_SCRIPT_BYTES = 16 * 1024;
const MAX_MANIFEST_BYTES = 1024 ** 2;

/** What one step would do, based on the current workspace. */
export async function lookUpStep(
  step: PlannedStep,
  { inspector, files }: Pick<PreviewParts, 'inspector' | 'files'>,
): Promise<readonly PreviewPart[]> {
  switch (step.kind) {
    case 'change': {
      const { path, added, removed, patch } = step;
      const isCut = patch.length > MAX_PATCH;
      const shown = isCut ? patch.slice(0, MAX_PATCH).toWellFormed() : patch;
      return [
        {
          kind: 'diff',
          heading: 'Change',
          files: [{ path, added, removed }],
          fileCount: 1,
          patch: shown,
          isCut,
        },
      ];
    }
    case 'no-plan':
      return [{ kind: 'unavailable', what: 'the change', why: step.why }];
    case 'stage': {
      const { cwd, paths } = step;
      const added = await inspector.commit({ cwd, isAll: false, isAmend: false, only: [], added: paths });
      return [{ kind: 'diff', heading: 'Staged afterwards', ...added }];
    }
    case 'commit': {
      const { kind: _, ...commit } = step;
      return [{ kind: 'diff', heading: 'Would be committed', ...(await inspector.commit(commit)) }];
    }
    case 'push': {
      const { kind: _, ...push } = step;
      return (await inspector.push(push)).map((forecast) => ({ kind: 'push', ...forecast }));
    }
    case 'run-file': {
      const { end, links } = await files.followLinks(step.path);
      if (end === null)
        throw new UnavailableError('link-elsewhere', `${step.path} is a link that leads elsewhere`);
      const { text } = await files.readText(end, { maxBytes: MAX_MANIFEST_BYTES });
      return [scriptPart(links.length === 0 ? end : `${step.path} → ${end}`, text)];
    }
    case 'run-package-script':
      return [await packageScript(step, files)];
  }
}

const MAX_PATCH = 64 * 1024;

function scriptPart(path: string, text: string): PreviewPart {
  const isCut = text.length > MAX_SCRIPT_BYTES;
  return { kind: 'script', path, text: isCut ? text.slice(0, MAX_SCRIPT_BYTES).toWellFormed() : text, isCut };
}

const Manifest = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** Includes the scripts that package managers run before and after it. */
async function packageScript(
  { cwd, name }: Extract<PlannedStep, { kind: 'run-package-script' }>,
  files: PreviewParts['files'],
): Promise<PreviewPart> {
  const path = cwd === '.' ? 'package.json' : `${cwd}/package.json`;
  const { text } = await files.readText(path, { maxBytes: MAX_MANIFEST_BYTES });
  const { scripts = {} } = readManifest(path, text);
  const rows = [`pre${name}`, name, `post${name}`].flatMap((one) =>
    Object.hasOwn(scripts, one) ? [`${one}: ${scripts[one] ?? ''}`] : [],
  );
  if (!Object.hasOwn(scripts, name))
    throw new UnavailableError('no-script', `${path} has no script "${name}"`);
  return scriptPart(path, rows.join('\n'));
}

function readManifest(path: string, text: string): z.infer<typeof Manifest> {
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new UnavailableError('unreadable', `${path} can’t be read`, { cause });
  }
}
