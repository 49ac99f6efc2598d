import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useRef } from 'react';
import { initialsOf } from '../format/format-id.ts';
import { toast } from '../parts/announce.tsx';
import { sayError } from '../parts/failure.tsx';
import { Brand, Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { ModeWord } from '../parts/words.tsx';
import { shell } from '../texts/en/shell.ts';
import { showKeys, useKeys } from './keyboard.tsx';
import { SearchField } from './search-field.tsx';
import { listBooks, type OpenBook, useSession, useSignOut } from './session.ts';
import { startPathOf, visiblePlaces } from './start-path.ts';

/** On every page: the book, one search, the person. */
export function Bar({ book }: Readonly<{ book: OpenBook | undefined }>) {
  return (
    <header className="bar">
      <Link to="/" className="brand" aria-label={shell.toOverview}>
        <Brand />
        <span>{shell.product}</span>
      </Link>
      <BookMenu book={book} />
      <SearchField book={book} />
      <PersonMenu />
    </header>
  );
}

function BookMenu({ book }: Readonly<{ book: OpenBook | undefined }>) {
  const session = useSession();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useKeys([
    { keys: 'b', label: shell.keys.book, isGlobal: true, act: () => button.current?.click() },
  ]);
  const items = listBooks(session).map((one) => ({
    key: one.id,
    isCurrent: one.id === book?.id,
    onChoose: () =>
      void navigate({ to: samePlace(path, one) ?? startPathOf(session, one.id) ?? '/' }),
    content: (
      <>
        <ModeWord mode={one.mode} />
        <span className="two">
          {one.merchant.name}
          <small>{[shell.modes[one.mode].meaning, ...one.roles].join(' · ')}</small>
        </span>
        {one.id === book?.id && <Icon name="succeeded" />}
      </>
    ),
  }));
  /** The same list in the other book, never the same transfer. */
  const samePlace = (from: string, other: OpenBook): string | undefined => {
    const name = /\/b\/[^/]+\/([^/]+)/.exec(from)?.[1];
    const place = visiblePlaces(session, other).find((one) => one.path === name);
    return place === undefined ? undefined : `/b/${other.id}/${place.path}`;
  };
  const staff = {
    key: 'staff',
    isCurrent: book === undefined,
    onChoose: () => void navigate({ to: startPathOf(session, 'staff') ?? '/' }),
    content: (
      <>
        <span className="mode mode-staff">{shell.staff.word}</span>
        <span className="two">
          {shell.staff.name}
          <small>{[shell.staff.meaning, ...session.staffRoles].join(' · ')}</small>
        </span>
        {book === undefined && <Icon name="succeeded" />}
      </>
    ),
  };
  const word = book === undefined ? shell.staff.word : shell.modes[book.mode].word;
  const name = book === undefined ? shell.staff.name : book.merchant.name;
  const meaning = book === undefined ? shell.staff.meaning : shell.modes[book.mode].meaning;
  return (
    <Menu
      className="book"
      label={shell.books}
      buttonRef={button}
      items={session.staffRoles.length > 0 ? [...items, staff] : items}
    >
      <span className="book-word">{word}</span>
      <span className="book-name">
        {name}
        <small>{meaning}</small>
      </span>
      <Icon name="down" />
      <span className="visually-hidden">{shell.changeBook}</span>
    </Menu>
  );
}

function PersonMenu() {
  const { person } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu
      className="me"
      label={shell.person.account}
      align="end"
      items={[
        {
          key: 'account',
          content: (
            <>
              <Icon name="shield" />
              <span className="two">
                {shell.person.account}
                <small>{person.email}</small>
              </span>
            </>
          ),
          onChoose: () => void navigate({ to: '/account' }),
        },
        {
          key: 'keys',
          content: (
            <>
              <Icon name="list" />
              <span>{shell.person.keys}</span>
            </>
          ),
          onChoose: showKeys,
        },
        {
          key: 'sign-out',
          content: (
            <>
              <Icon name="submitting" />
              <span>{shell.person.signOut}</span>
            </>
          ),
          onChoose: () =>
            void signOut().catch((error: unknown) =>
              toast(shell.person.stillSignedIn(sayError(error)), 'bad'),
            ),
        },
      ]}
    >
      <span className="avatar" aria-hidden="true">
        {initialsOf(person.name)}
      </span>
      <span className="name">{person.name}</span>
      <span className="visually-hidden">{shell.person.account}</span>
    </Menu>
  );
}
