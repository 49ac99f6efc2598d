import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { OpenSession } from '../../api/types.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed, Refused } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { account } from '../../texts/en/account.ts';
import { nameBrowser } from './name-browser.ts';

const KEY = ['session', 'sessions'] as const;

export function SessionsCard() {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      call<{ items: readonly OpenSession[] }>({ path: '/session/sessions', signal }),
  });
  const end = useMutation({
    mutationFn: (id: string) =>
      call({ method: 'DELETE', path: `/session/sessions/${encodeURIComponent(id)}` }),
    onSuccess: async () => {
      toast(account.ended);
      await queries.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <Card title={account.sessions}>
      <p className="help card-pad pt-0">{account.sessionsHelp}</p>
      {end.isError && <Refused error={end.error} />}
      {found.data === undefined ? (
        found.isError ? (
          <PartFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LoadingRows rows={2} />
        )
      ) : (
        <ul className="sessions">
          {found.data.items.map((session) => (
            <li key={session.id}>
              <span className="two">
                {nameBrowser(session.userAgent)}{' '}
                {session.current && <Tag tone="good">{account.thisOne}</Tag>}
                <small>
                  {account.from.toLowerCase()} {session.address}, {account.since.toLowerCase()}{' '}
                  <Time at={session.createdAt} />, {account.seen.toLowerCase()}{' '}
                  <Time at={session.lastUsedAt} />
                </small>
              </span>
              {!session.current && (
                <Button size="sm" isBusy={end.isPending} onClick={() => end.mutate(session.id)}>
                  {account.end}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
