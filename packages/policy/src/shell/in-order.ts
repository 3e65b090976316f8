/** Whether what the one expression finds stands before what the other finds: `one.*other`, in linear time. */
export function inOrder(text: string, one: RegExp, other: RegExp): boolean {
  const at = text.search(one);
  return at >= 0 && other.test(text.slice(at));
}
