/** A page, a command or something to do, as ⌘K offers it. */
export type Find = Readonly<{
  id: string;
  name: string;
  /** Whether the name is what a machine reads. */
  isLine?: boolean;
  about: string;
  run: () => void;
}>;
