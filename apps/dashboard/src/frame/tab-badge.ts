const DOT = '<circle cx="16" cy="16" r="5.2" fill="#8b1a7a" stroke="#fff" stroke-width="1.2"/>';

let mark: Promise<string> | null = null;
let shown = 0;

/** Shows the number of pending approvals in the title, and a dot on the tab's icon while there are any. */
export async function badgeTab(asking: number, name: string): Promise<void> {
  document.title = asking === 0 ? name : `(${asking}) ${name}`;
  const isDotted = asking > 0;
  const wasDotted = shown > 0;
  shown = asking;
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon === null || isDotted === wasDotted) return;
  if (!isDotted) {
    icon.href = PLAIN;
    return;
  }
  // The page's own file: no other host is contacted.
  mark ??= fetch(PLAIN).then((answer) => answer.text());
  const drawing = await mark.catch(() => null);
  if (drawing === null || shown === 0) return;
  icon.href = `data:image/svg+xml,${encodeURIComponent(drawing.replace('</svg>', `${DOT}</svg>`))}`;
}

const PLAIN = '/mark.svg';
