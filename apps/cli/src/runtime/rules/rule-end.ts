/** The instant at which a rule ends, as `expires:` contains it. */
export function ruleEnd(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
