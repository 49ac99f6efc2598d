import type { ReactNode } from 'react';
import type { Mode } from '../api/types.ts';
import { useOptionalBook } from '../app/session.ts';
import { ModeWord } from './words.tsx';

type Named = Readonly<{ mode: Mode; merchant: Readonly<{ name: string }> }>;

/**
 * The box above the button of every act that moves, releases or stops money. It repeats count, sum and currency, and
 * names the book: that of the address, or the given one where staff act on a book.
 */
export function Says({
  lead,
  book,
  children,
}: Readonly<{ lead: string; book?: Named; children: ReactNode }>) {
  const own = useOptionalBook();
  const named = book ?? own;
  if (named === undefined) throw new Error('This part needs a book');
  return (
    <div className={`says says-${named.mode}`}>
      <p className="small">
        {lead} <ModeWord mode={named.mode} /> {named.merchant.name}:
      </p>
      {children}
    </div>
  );
}
