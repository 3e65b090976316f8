/** `main@{yesterday}`, `:/text`: names another commit later, without any change to a file. */
export function isOfTime(revision: string | undefined): boolean {
  return revision !== undefined && /@\{|:\//.test(revision);
}
