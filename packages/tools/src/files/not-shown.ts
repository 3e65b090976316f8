/** Says how many entries a tool omitted, why, and how to see them. */
export function notShown(count: number, what: { readonly one: string; readonly many: string }): string {
  const [named, them] = count === 1 ? [`1 ${what.one}`, 'it'] : [`${count} ${what.many}`, 'them'];
  return `[${named} not shown: reading ${them} is denied (secrets, .signalbox, or a list such as tools.file.deny_read). Your user can look at ${them} in a terminal, or change the list]`;
}
