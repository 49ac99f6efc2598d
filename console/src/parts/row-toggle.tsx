import type { ReactNode } from 'react';
import type { OpenRow } from '../app/open-row.ts';

type Given = Readonly<{ id: string; row: OpenRow; title: string; children: ReactNode }>;

/** Opens a row of a list below itself, and closes it. */
export function RowToggle({ id, row, title, children }: Given) {
  return (
    <button
      type="button"
      className="as-link"
      aria-expanded={row.open === id}
      title={title}
      onClick={() => row.toggle(id)}
    >
      {children}
    </button>
  );
}
