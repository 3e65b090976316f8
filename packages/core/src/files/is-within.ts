/** Whether a path is a folder or lies below it; both relative to the same one or both absolute, and normalised. */
export function isWithin(path: string, folder: string): boolean {
  if (folder === '.' || folder === '/' || path === folder) return true;
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
