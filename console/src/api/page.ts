/** A page of a list. `nextCursor` null: the last one. */
export type Page<T> = Readonly<{ items: readonly T[]; nextCursor: string | null }>;
