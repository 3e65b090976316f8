/**
 * The role of an operand, or of an option's value.
 *
 * `list`: its name, size or existence is shown, not its content. `names`: read, and the files it names are opened.
 * `edit`: read and written. `program`: the name of a program that is started. `shell`: a shell line that is run.
 */
export type ArgumentRole =
  | 'text'
  | 'list'
  | 'read'
  | 'names'
  | 'write'
  | 'write-tree'
  | 'edit'
  | 'delete'
  | 'delete-tree'
  | 'program'
  | 'shell'
  | 'host';
