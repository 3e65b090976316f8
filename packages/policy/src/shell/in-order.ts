/** Whether a match of the one expression comes before a match of the other: `one.*other`, in linear time. */
export function inOrder(text: string, one: RegExp, other: RegExp): boolean {
  const at = text.search(one);
  return at >= 0 && other.test(text.slice(at));
}
