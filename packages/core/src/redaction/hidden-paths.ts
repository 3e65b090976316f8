/** Places of a person's own files besides the home folder. */
const PARENTS = String.raw`(?:\/home|\/Users|\/media|\/run\/media|\/var\/mail|\/var\/spool\/mail|\/mnt\/[a-z]\/Users)`;
/** No further name of the same path: `/home/ana` is not in `/srv/home/ana` or `/home/anabel`. */
const BEFORE = String.raw`(?<![\w.~-])`;
const AFTER = String.raw`(?![\w-]|\.\w)`;

/**
 * Shortens paths that tell who somebody is (S001-46): the workspace to `.`, the home folder to `~`, and the name of its
 * owner in other places to `[user]`.
 *
 * A model may use what it reads: `./src/a.ts` is a path of the workspace, and a shell expands `~`. Other places can't be
 * named by a call anyway. A workspace that tells nothing, such as `/srv/shop`, stays as it is. Linear.
 */
export function createPathHiding({
  workspace,
  home,
}: {
  readonly workspace: string;
  readonly home: string | undefined;
}): (text: string) => string {
  const owner = home?.split('/').findLast((name) => name !== '');
  if (home === undefined || owner === undefined) return (text) => text;
  const folder = `/${home
    .split('/')
    .filter((name) => name !== '')
    .join('/')}`;
  const isPersonal = `${workspace}/`.startsWith(`${folder}/`) || workspace.split('/').includes(owner);
  const own = isPersonal && workspace !== folder ? [workspace] : [];
  const pattern = new RegExp(
    `${BEFORE}(?:(${[...own, folder].map(literal).join('|')})|(${PARENTS}/)${literal(owner)})${AFTER}`,
    'g',
  );
  return (text) =>
    text.replaceAll(pattern, (_, path?: string, parent?: string) =>
      path === undefined ? `${parent}[user]` : path === folder ? '~' : '.',
    );
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
