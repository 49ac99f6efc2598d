import type { ReactNode } from 'react';
import { useBook } from '../app/session.ts';
import { ModeWord } from './words.tsx';

/**
 * The box above the button of every act that moves, releases or stops money. It repeats count, sum and currency, and
 * names the book.
 */
export function Says({ lead, children }: Readonly<{ lead: string; children: ReactNode }>) {
  const book = useBook();
  return (
    <div className="says">
      <p className="small">
        {lead} <ModeWord mode={book.mode} /> {book.merchant.name}:
      </p>
      {children}
    </div>
  );
}
