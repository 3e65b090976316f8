/** The short form of `cmd_k3v9…`; the full id is in the address bar. */
export function shortId(id: string): string {
  return id.replace(/^[a-z]+_/, '').slice(0, 6);
}
