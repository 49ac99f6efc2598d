import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { LoadingRows } from '../parts/loading.tsx';
import { shell } from '../texts/en/shell.ts';
import { Bar } from './bar.tsx';
import { NothingHere } from './errors.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { loadPreferences } from './preferences.ts';
import { findBook, listBooks, type OpenBook, useOptionalBook, useSession } from './session.ts';
import { SessionEnded } from './session-ended.tsx';
import { Side, ThumbBar } from './side.tsx';
import { lastPlace, rememberPlace } from './start-path.ts';
import { StreamProvider } from './stream.tsx';

export function BookFrame() {
  const session = useSession();
  const book = useOptionalBook();
  const bookId = book?.id;
  useEffect(() => {
    if (bookId !== undefined) rememberPlace(session, bookId);
  }, [bookId, session]);
  // The role in it was taken away meanwhile.
  if (book === undefined) return <NothingHere />;
  // A new key: nothing of one book is ever shown in another.
  return <Frame key={bookId} book={book} />;
}

export function StaffFrame() {
  const session = useSession();
  useEffect(() => rememberPlace(session, 'staff'), [session]);
  return <Frame book={undefined} />;
}

/** The own account is no place of a book; it keeps the bar of the book where the reader was last. */
export function AccountFrame() {
  const session = useSession();
  const last = lastPlace(session);
  // Staff stay with the staff's pages; who was nowhere yet sees the column of a book.
  const book = last === undefined ? listBooks(session)[0] : findBook(session, last);
  return <Frame book={book} />;
}

export function NoBooks() {
  const { person } = useSession();
  return (
    <Frame book={undefined}>
      <div className="empty card">
        <h1>{shell.errors.noBooks}</h1>
        <p className="soft">{shell.errors.noBooksDetail(person.email)}</p>
      </div>
    </Frame>
  );
}

/** Bar, column, content. The body carries the book's mode: colours and the frame of TEST hang on it. */
function Frame({ book, children }: Readonly<{ book: OpenBook | undefined; children?: ReactNode }>) {
  const { staffRoles } = useSession();
  const isStaff = book === undefined;
  useEffect(() => {
    const name = isStaff ? 'staff' : `book-${book.mode}`;
    document.body.classList.add(name);
    return () => document.body.classList.remove(name);
  }, [isStaff, book?.mode]);
  useEffect(() => {
    // The theme that this browser remembers holds until then, and also when this fails.
    loadPreferences().catch(() => undefined);
  }, []);
  const hasStream = !isStaff || staffRoles.length > 0;
  return (
    <KeyboardProvider>
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <StreamProvider bookId={book?.id} isOn={hasStream}>
        <div className="shell">
          <Bar book={book} />
          <Side book={book} />
          <main className="main" id="main" tabIndex={-1}>
            <OfflineBar />
            <Suspense fallback={<LoadingRows rows={6} />}>{children ?? <Outlet />}</Suspense>
          </main>
          <ThumbBar book={book} />
        </div>
      </StreamProvider>
      <FocusOnPage />
      <SessionEnded />
    </KeyboardProvider>
  );
}

/** After a link to another page the focus begins at its title, as it does when a page is loaded. */
function FocusOnPage() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const first = useRef(path);
  useEffect(() => {
    if (path === undefined || path === first.current) return;
    first.current = path;
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [path]);
  return null;
}
