import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { shell } from '../texts/en/shell.ts';
import { useKeys } from './keyboard.tsx';
import { BOOK_PLACES, STAFF_PLACES } from './places.ts';
import type { OpenBook } from './session.ts';

/** The place that shows what was found. */
const SEARCH_PATH = 'search';

/** One field for everything. It searches the open book; staff search all books. */
export function SearchField({ book }: Readonly<{ book: OpenBook | undefined }>) {
  const base = book === undefined ? '/staff' : `/b/${book.id}`;
  const [text, setText] = useTextOf(`${base}/${SEARCH_PATH}`);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const places = book === undefined ? STAFF_PLACES : BOOK_PLACES;
  const hasSearch = places.some(({ path }) => path === SEARCH_PATH);
  useKeys(
    hasSearch
      ? [{ keys: '/', label: shell.keys.search, isGlobal: true, act: () => input.current?.focus() }]
      : [],
  );
  if (!hasSearch) return <div className="search" />;
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = text.trim();
        if (q !== '') void navigate({ to: `${base}/${SEARCH_PATH}`, search: { q } });
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={shell.search.label}
        placeholder={shell.search.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          input.current?.blur();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** What is typed. An address that asks, such as a link or a step back, writes its question into the field. */
function useTextOf(place: string) {
  const asked = useRouterState({
    select: ({ location }) =>
      location.pathname === place ? (location.search as { q?: string }).q : undefined,
  });
  const [text, setText] = useState(asked ?? '');
  const [shown, setShown] = useState(asked);
  if (asked !== shown) {
    setShown(asked);
    if (asked !== undefined) setText(asked);
  }
  return [text, setText] as const;
}
