import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { placeNames } from '../texts/en/places.ts';
import { shell } from '../texts/en/shell.ts';
import { useKeys } from './keyboard.tsx';
import type { Place } from './place.ts';
import { type OpenBook, rolesNeeded, useSession } from './session.ts';
import { visiblePlaces } from './start-path.ts';

type Given = Readonly<{ book: OpenBook | undefined }>;
type Column = NonNullable<Place['column']>;
type Listed = Place & Readonly<{ column: Column }>;

function useListed(book: OpenBook | undefined): readonly Listed[] {
  const session = useSession();
  return visiblePlaces(session, book).filter(
    (place): place is Listed => place.column !== undefined,
  );
}

function baseOf(book: OpenBook | undefined): string {
  return book === undefined ? '/staff' : `/b/${book.id}`;
}

/** The places in the left column. */
export function Side({ book }: Given) {
  const places = useListed(book);
  const navigate = useNavigate();
  const base = baseOf(book);
  useKeys(
    places.flatMap(({ path, title, column: { key, isMain } }) =>
      key === undefined
        ? []
        : [
            {
              keys: isMain === true ? key : `g ${key}`,
              label: isMain === true ? placeNames[title] : shell.keys.goTo(placeNames[title]),
              isGlobal: true,
              act: () => void navigate({ to: `${base}/${path}` }),
            },
          ],
    ),
  );
  return (
    <nav className="side" aria-label={shell.mainPlaces}>
      <PlaceList book={book} places={places} />
    </nav>
  );
}

function PlaceList({
  book,
  places,
  onGo,
}: Given & Readonly<{ places: readonly Listed[]; onGo?: () => void }>) {
  const groups = Map.groupBy(
    places.filter(({ column }) => column.isMain !== true),
    ({ column }) => column.group,
  );
  return (
    <>
      {places
        .filter(({ column }) => column.isMain === true)
        .map((place) => (
          <PlaceLink key={place.path} book={book} place={place} onGo={onGo} />
        ))}
      {[...groups].map(([group, some]) => (
        <div key={group ?? ''}>
          {group !== undefined && <h2>{shell.groups[group]}</h2>}
          <ul>
            {some.map((place) => (
              <li key={place.path}>
                <PlaceLink book={book} place={place} onGo={onGo} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

/** What the person sees and may not do is there, inactive, with the role that could. */
function PlaceLink({
  book,
  place,
  onGo,
}: Given & Readonly<{ place: Listed; onGo?: (() => void) | undefined }>) {
  const { icon, isMain, does, count: PlaceCount } = place.column;
  const needed = rolesNeeded(useSession(), book, does ?? place.sees);
  const className = isMain === true ? 'btn btn-main' : undefined;
  const content = (
    <>
      <Icon name={icon} />
      {placeNames[place.title]}
      {PlaceCount !== undefined && <PlaceCount />}
    </>
  );
  if (needed !== undefined) {
    const reason = shell.onlyRoles(needed);
    return (
      <button
        type="button"
        aria-disabled="true"
        className={className ?? 'side-inactive'}
        title={reason}
      >
        {content}
        <span className="visually-hidden">. {reason}</span>
      </button>
    );
  }
  return (
    <Link
      to={`${baseOf(book)}/${place.path}`}
      className={className ?? ''}
      activeProps={{ 'aria-current': 'page' }}
      activeOptions={{ includeSearch: false }}
      {...(onGo === undefined ? {} : { onClick: onGo })}
    >
      {content}
    </Link>
  );
}

/** Under the thumb on narrow screens: four places and "More". */
export function ThumbBar({ book }: Given) {
  const places = useListed(book);
  const [isOpen, setOpen] = useState(false);
  const thumbs = places
    .filter(({ column }) => column.thumb !== undefined)
    .sort((a, b) => (a.column.thumb ?? 0) - (b.column.thumb ?? 0))
    .slice(0, 4);
  if (places.length === 0) return null;
  return (
    <>
      <nav className="tabbar" aria-label={shell.mainPlacesNarrow}>
        {thumbs.map(({ path, title, column }) => (
          <Link
            key={path}
            to={`${baseOf(book)}/${path}`}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon name={column.icon} />
            {title === 'pay' ? placeNames.payShort : placeNames[title]}
            {column.count !== undefined && <column.count />}
          </Link>
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="more" />
          {shell.more}
        </button>
      </nav>
      {isOpen && (
        <Dialog title={shell.morePlaces} onClose={() => setOpen(false)}>
          <div className="side side-open">
            <PlaceList book={book} places={places} onGo={() => setOpen(false)} />
          </div>
        </Dialog>
      )}
    </>
  );
}
