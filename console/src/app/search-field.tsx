import { useNavigate } from '@tanstack/react-router';
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
  const [text, setText] = useState('');
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
  const base = book === undefined ? '/staff' : `/b/${book.id}`;
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
