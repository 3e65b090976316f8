/** `cmd_k3v9…` as people say it; the whole is in the address bar. */
export function shortId(id: string): string {
  return id.replace(/^[a-z]+_/, '').slice(0, 6);
}
