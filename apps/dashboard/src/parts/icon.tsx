import type { ReactNode } from 'react';

/** Drawn on 16 by 16, in the colour of the text. */
const SHAPES = {
  live: <path d="M1.5 4.5h5l3 4h5M1.5 11.5h13" />,
  approve: (
    <>
      <path d="M8 1.6 14.4 8 8 14.4 1.6 8z" />
      <path d="M8 5.2v3.4M8 10.8v.01" />
    </>
  ),
  leases: <path d="M1.5 4h6v3h-6zM10 5.5h4.5M1.5 12h3M7 10.5h7.500v3H7z" />,
  history: <path d="M2.3 5.200A6.2 6.2 0 1 1 1.8 8M2 2.200v3h3M8 4.800V8l2.2 1.6" />,
  sessions: <path d="M2 3.500h8M2 8h12M2 12.500h6" />,
  analytics: <path d="M2 13.500V9M6 13.500V5M10 13.500V7.500M14 13.500v-11" />,
  policy: <path d="M8 1.8 13.5 4v4c0 3.2-2.3 5.4-5.5 6.300C4.8 13.4 2.5 11.2 2.5 8V4z" />,
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.4" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.500v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
    </>
  ),
  check: <path d="m3 8.5 3.2 3.200L13 4.6" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  unequal: <path d="M3 6h10M3 10h10M11 2.500 5 13.500" />,
  octagon: <path d="M5.2 1.500h5.600l3.7 3.700v5.600l-3.7 3.700H5.200l-3.7-3.700V5.200zM4.8 8h6.4" />,
  diamond: (
    <>
      <path d="M8 1.5 14.5 8 8 14.5 1.5 8z" />
      <path d="M8 5v3.600M8 11v.01" />
    </>
  ),
  triangle: <path d="M8 2 14.5 13.500h-13zM8 6.500v3M8 11.500v.01" />,
  danger: (
    <>
      <path d="M8 1.8 14.8 13.800H1.200z" fill="currentColor" />
      <path d="M8 6.200v3.200M8 11.600v.01" stroke="var(--color-panel)" strokeWidth="1.8" />
    </>
  ),
  ring: <circle cx="8" cy="8" r="5.5" />,
  hold: <path d="M5 3v10M11 3v10" />,
  play: <path d="M2 8h10M8.5 4 12.5 8l-4 4" />,
  clash: <path d="M1.5 8h4M3.8 5.5 6.3 8l-2.5 2.500M14.5 8h-4M12.2 5.5 9.7 8l2.5 2.500M8 2.500v11" />,
  stale: <path d="M9 1.800H3.500v12.400h9V5.300zM9 1.800v3.500h3.500M10 9H6m1.7-1.900L5.8 9l1.9 1.9" />,
  file: <path d="M9 1.800H3.500v12.400h9V5.300zM9 1.800v3.500h3.5" />,
  globe: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z" />
    </>
  ),
  term: <path d="m2.5 4 4 4-4 4M8.5 12.500h5" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.8" />
      <path d="m7 9 6.5-6.500M11 5l2 2" />
    </>
  ),
  branch: (
    <>
      <circle cx="4.5" cy="3.5" r="1.5" />
      <circle cx="4.5" cy="12.5" r="1.5" />
      <circle cx="11.5" cy="5.5" r="1.5" />
      <path d="M4.5 5v6M11.5 7c0 2.5-4 2-6 3.5" />
    </>
  ),
  chev: <path d="m4.5 6.2 3.5 3.5 3.5-3.5" />,
  pause: <path d="M5.5 3.500v9M10.5 3.500v9" />,
  slash: <path d="M3 13 13 3" />,
  bar: <path d="M3.5 8h9" />,
  question: <path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.400M8 12.500v.01" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

/** Decoration: the text next to it says the same. */
export function Icon({ name }: Readonly<{ name: IconName }>) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
