import type { PreparedTransfer } from './prepared-transfer.ts';

/** The controls of books are not those by which a group was judged: nothing of it is stored, and it is judged anew. */
export class ControlsChanged extends Error {
  readonly versions: ReadonlyMap<string, number | null>;

  constructor(versions: ReadonlyMap<string, number | null>) {
    super('the controls of a book changed while its payouts waited');
    this.name = 'ControlsChanged';
    this.versions = versions;
  }
}

/** Compares with the versions on the locked wallets, by book. */
export function expectControls(
  group: readonly PreparedTransfer[],
  versions: ReadonlyMap<string, number | null>,
): void {
  const changed = new Map<string, number | null>();
  for (const { book, controls } of group) {
    const version = versions.get(book.id);
    if (version !== undefined && version !== (controls?.version ?? null)) {
      changed.set(book.id, version);
    }
  }
  if (changed.size > 0) throw new ControlsChanged(changed);
}
