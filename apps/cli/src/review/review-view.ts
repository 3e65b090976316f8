import type { Review, ReviewFile } from '@signalbox/coordinator';
import { fit } from '../screen/cells.ts';
import { as, BLANK, type Line, line, muted } from '../screen/line.ts';
import { type Look, plural } from '../screen/look.ts';
import { patchView } from '../views/changes-view.ts';

/** A file of the review by its number on the screen. */
export type NumberedFile = Readonly<{ number: number; provider: string; file: ReviewFile }>;

export function numberedFiles({ providers }: Review): readonly NumberedFile[] {
  const all = providers.flatMap(({ provider, files }) => files.map((file) => ({ provider, file })));
  return all.map((one, at) => ({ ...one, number: at + 1 }));
}

/** Files by provider, numbered: ` 2  src/tax.ts  +10 -0  also changed by anthropic`. */
export function reviewView(review: Review, look: Look): readonly Line[] {
  const files = numberedFiles(review);
  const head = `${plural(files.length, 'file')} changed by ${plural(review.providers.length, 'provider')}`;
  return [
    line(as('bold', 'Review'), muted(`   ${head}`)),
    ...review.providers.flatMap(({ provider }) => [
      line(' ', as('bold', provider)),
      ...files.filter((one) => one.provider === provider).map((one) => fit(fileRow(one), look.width)),
    ]),
  ];
}

function fileRow({ number, file }: NumberedFile): Line {
  const { path, added, removed, alsoChangedBy, isCurrent } = file;
  const others = alsoChangedBy.length === 0 ? '' : `   also changed by ${alsoChangedBy.join(', ')}`;
  return line(
    muted(`${String(number).padStart(4)}  `),
    path,
    '  ',
    as('ok', `+${added}`),
    ' ',
    as('danger', `-${removed}`),
    as('warn', others),
    ...(isCurrent ? [] : [as('warn', '   changed since')]),
  );
}

/** Each change of a file, the oldest first. */
export function fileDiffView({ provider, file }: NumberedFile): readonly Line[] {
  return file.changes.flatMap((change) => [
    BLANK,
    line(as('bold', file.path), muted(`   ${provider}: ${change.title}`)),
    ...patchView({ ...change, path: file.path }),
  ]);
}
