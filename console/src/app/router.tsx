import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { hasCode } from '../api/api-error.ts';
import type { Session } from '../api/types.ts';
import { NotFound, NothingHere, PageStopped } from './errors.tsx';
import { AccountFrame, BookFrame, NoBooks, StaffFrame } from './frames.tsx';
import type { Place } from './place.ts';
import { BOOK_PLACES, STAFF_PLACES } from './places.ts';
import { readSearch, writeSearch } from './search-params.ts';
import { findBook, listBooks, may, sessionQuery } from './session.ts';
import { findStartPath, startPathOf } from './start-path.ts';

type Context = Readonly<{ queries: QueryClient }>;

const rootRoute = createRootRouteWithContext<Context>()({ notFoundComponent: NothingHere });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx')),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation/$token',
  component: lazyRouteComponent(() => import('../screens/invitation/invitation-screen.tsx')),
});

/** Everything below needs a session; without one the reader signs in and comes back. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queries.ensureQueryData(sessionQuery) };
    } catch (error) {
      if (!hasCode(error, 'UNAUTHORIZED')) throw error;
      const returnTo = `/console${location.href.replace(/^\/console/, '')}`;
      throw redirect({ to: '/sign-in', search: { returnTo }, replace: true });
    }
  },
});

const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context: { session } }) => {
    const to = await findStartPath(session);
    if (to !== undefined) throw redirect({ to, replace: true });
  },
  component: NoBooks,
});

const bookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'b/$bookId',
  beforeLoad: ({ context: { session }, params }) => {
    if (findBook(session, params.bookId) === undefined) throw notFound();
  },
  component: BookFrame,
  notFoundComponent: NotFound,
});

const staffRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'staff',
  beforeLoad: ({ context: { session } }) => {
    if (session.staffRoles.length === 0) throw notFound();
  },
  component: StaffFrame,
  notFoundComponent: NotFound,
});

const accountFrameRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'own',
  component: AccountFrame,
});

const accountRoute = createRoute({
  getParentRoute: () => accountFrameRoute,
  path: 'account',
  component: lazyRouteComponent(() => import('../screens/account/account-screen.tsx')),
});

/** The first place that the person sees there. */
function indexRoute(parent: AnyRoute): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: ({ context, params }) => {
      const { session } = context as unknown as { session: Session };
      const { bookId } = params as { bookId?: string };
      const to = startPathOf(session, bookId ?? 'staff');
      if (to === undefined) throw notFound();
      throw redirect({ to, replace: true });
    },
  });
}

function placeRoute(parent: AnyRoute, place: Place): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: place.path,
    beforeLoad: ({ context, params }) => {
      const { session } = context as unknown as { session: Session };
      const { bookId } = params as { bookId?: string };
      const book = listBooks(session).find(({ id }) => id === bookId);
      if (!may(session, book, place.sees)) throw notFound();
    },
    component: lazyRouteComponent(place.load),
  });
}

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren([
      signInRoute,
      invitationRoute,
      signedInRoute.addChildren([
        startRoute,
        bookRoute.addChildren([
          indexRoute(bookRoute),
          ...BOOK_PLACES.map((place) => placeRoute(bookRoute, place)),
        ]),
        staffRoute.addChildren([
          indexRoute(staffRoute),
          ...STAFF_PLACES.map((place) => placeRoute(staffRoute, place)),
        ]),
        accountFrameRoute.addChildren([accountRoute]),
      ]),
    ]),
    basepath: '/console',
    context: { queries },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultErrorComponent: PageStopped,
    defaultNotFoundComponent: NotFound,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: 150,
  });
}
