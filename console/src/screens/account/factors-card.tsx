import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Factors } from '../../api/types.ts';
import { SESSION_KEY, useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed, Refused } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { account } from '../../texts/en/account.ts';
import { askForAppKey } from './ask-for-app-key.ts';
import { FactorDialog, type Open } from './factor-dialogs.tsx';

const FACTORS_KEY = ['session', 'factors'] as const;

export function FactorsCard() {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: ({ signal }) => call<Factors>({ path: '/session/factors', signal }),
  });
  const [open, setOpen] = useState<Open>();
  const [error, setError] = useState<unknown>();
  const changed = async (next?: Open) => {
    setOpen(next);
    await queries.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const hasFactor = found.data?.totp !== null || found.data.passkeys.length > 0;
  const resetAt = found.data?.resetAt ?? null;
  const { hasSecondFactor } = useSession();
  const startApp = async () => {
    if (hasFactor) return setOpen({ kind: 'confirm app' });
    try {
      setError(undefined);
      setOpen({ kind: 'app', setUp: await askForAppKey() });
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <Card title={account.factors}>
      <div className="card-pad pt-0 form">
        <p className="help">{account.factorsHelp}</p>
        {!hasFactor && resetAt !== null && <WasReset at={resetAt} />}
        {found.data !== undefined && hasFactor && !hasSecondFactor && (
          <NotShown onShow={() => setOpen({ kind: 'show' })} />
        )}
        {error !== undefined && <Refused error={error} />}
        {found.data === undefined ? (
          found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows rows={3} />
          )
        ) : (
          <FactorList factors={found.data} onOpen={setOpen} onApp={() => void startApp()} />
        )}
      </div>
      {open !== undefined && (
        <FactorDialog
          open={open}
          hasFactor={hasFactor}
          onClose={() => setOpen(undefined)}
          onChanged={changed}
        />
      )}
    </Card>
  );
}

/** Until there is a factor again: the person wonders where the earlier ones are. */
function WasReset({ at }: Readonly<{ at: string }>) {
  return (
    <Note tone="caution">
      <p>
        {account.resetSince} <Time at={at} />. {account.reset}
      </p>
    </Note>
  );
}

/** Single sign-on with one factor: live books and the pages of the staff wait for the second one. */
function NotShown({ onShow }: Readonly<{ onShow: () => void }>) {
  return (
    <Note
      tone="caution"
      action={
        <Button size="sm" onClick={onShow}>
          {account.showFactor}
        </Button>
      }
    >
      <p>{account.notShown}</p>
    </Note>
  );
}

type ListGiven = Readonly<{ factors: Factors; onOpen: (open: Open) => void; onApp: () => void }>;

function FactorList({ factors, onOpen, onApp }: ListGiven) {
  return (
    <>
      <div className="split">
        <span className="two">
          {account.app}
          <small>
            {factors.totp === null ? (
              account.appNone
            ) : (
              <>
                {account.appSince} <Time at={factors.totp.createdAt} />
              </>
            )}
          </small>
        </span>
        <Button size="sm" onClick={onApp}>
          {factors.totp === null ? account.setUpApp : account.replaceApp}
        </Button>
      </div>
      <div className="split">
        <span className="two">
          {account.passkeys}
          {factors.passkeys.length === 0 && <small>{account.noPasskeys}</small>}
        </span>
        <Button
          size="sm"
          kind="main"
          icon="fingerprint"
          onClick={() => onOpen({ kind: 'passkey' })}
        >
          {account.addPasskey}
        </Button>
      </div>
      {factors.passkeys.length > 0 && (
        <ul className="list-plain">
          {factors.passkeys.map(({ id, name, lastUsedAt }) => (
            <li key={id} className="split">
              <span className="two">
                {name}
                <small>
                  {lastUsedAt === null ? (
                    account.neverUsed
                  ) : (
                    <>
                      {account.lastUsed} <Time at={lastUsedAt} />
                    </>
                  )}
                </small>
              </span>
              <Button
                size="sm"
                kind="danger"
                aria-label={account.removePasskey(name)}
                onClick={() => onOpen({ kind: 'remove', id, name })}
              >
                {account.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="split">
        <span className="two">
          {account.recovery}
          <small>{account.recoveryLeft(factors.recoveryCodesLeft)}</small>
        </span>
        <Button size="sm" onClick={() => onOpen({ kind: 'new codes' })}>
          {account.newCodes}
        </Button>
      </div>
    </>
  );
}
