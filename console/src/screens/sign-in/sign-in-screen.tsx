import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { clearSessionEnded } from '../../api/session-ended.ts';
import type { Session } from '../../api/types.ts';
import { readReturnTo } from '../../app/return-to.ts';
import { SESSION_KEY } from '../../app/session.ts';
import { Note } from '../../parts/note.tsx';
import { signIn } from '../../texts/en/sign-in.ts';
import { EntryFrame } from './entry-frame.tsx';
import SignInForm from './sign-in-form.tsx';

export default function SignInScreen() {
  const search = useSearch({ strict: false }) as { returnTo?: string; refused?: string };
  const returnTo = readReturnTo(search.returnTo);
  const queries = useQueryClient();
  const router = useRouter();
  const onSignedIn = (session: Session) => {
    queries.clear();
    queries.setQueryData(SESSION_KEY, session);
    clearSessionEnded();
    router.history.replace(returnTo ?? '/console/');
  };
  return (
    <EntryFrame title={signIn.title}>
      {search.refused !== undefined && (
        <Note tone="bad" isAlert>
          <p>{search.refused === 'UNAVAILABLE' ? signIn.issuerAway : signIn.singleSignOnRefused}</p>
        </Note>
      )}
      <SignInForm returnTo={returnTo ?? '/console/'} onSignedIn={onSignedIn} />
    </EntryFrame>
  );
}
