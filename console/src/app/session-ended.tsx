import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { clearSessionEnded, isSessionEnded, onSessionEnded } from '../api/session-ended.ts';
import type { Session } from '../api/types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shell } from '../texts/en/shell.ts';
import { SESSION_KEY, useSession } from './session.ts';

const SignInForm = lazy(() => import('../screens/sign-in/sign-in-form.tsx'));

/** Sign-in over the page. The page stays as it is, forms included. */
export function SessionEnded() {
  const isEnded = useSyncExternalStore(onSessionEnded, isSessionEnded);
  const { person } = useSession();
  const queries = useQueryClient();
  if (!isEnded) return null;
  const onSignedIn = async (session: Session) => {
    if (session.person.id !== person.id) {
      // A page of one person must not be shown to another.
      location.assign('/console/');
      return;
    }
    queries.setQueryData(SESSION_KEY, session);
    clearSessionEnded();
    await queries.invalidateQueries();
  };
  return (
    <Dialog title={shell.ended.title} onClose={() => undefined} isFirm>
      <div className="form">
        <p className="soft">{shell.ended.detail}</p>
        <Suspense>
          <SignInForm email={person.email} onSignedIn={onSignedIn} />
        </Suspense>
      </div>
    </Dialog>
  );
}
