/** A page, a command or an action, as ⌘K offers it. */
export type Find = Readonly<{
  id: string;
  name: string;
  /** Whether the name is machine-readable text. */
  isLine?: boolean;
  about: string;
  run: () => void;
}>;
