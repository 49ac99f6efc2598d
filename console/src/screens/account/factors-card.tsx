import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Factors, TotpSetUp } from '../../api/types.ts';
import { SESSION_KEY } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PartFailed, Refused } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { passkey } from '../../parts/passkey.ts';
import { RecoveryCodes } from '../../parts/recovery-codes.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { Time } from '../../parts/time.tsx';
import { TotpFields } from '../../parts/totp-set-up.tsx';
import { account } from '../../texts/en/account.ts';
import { shell } from '../../texts/en/shell.ts';

const FACTORS_KEY = ['session', 'factors'] as const;

type Open =
  | Readonly<{ kind: 'app'; setUp: TotpSetUp }>
  | Readonly<{ kind: 'passkey' }>
  | Readonly<{ kind: 'remove'; id: string; name: string }>
  | Readonly<{ kind: 'new codes' }>
  | Readonly<{ kind: 'codes'; codes: readonly string[] }>;

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
  const startApp = async () => {
    try {
      setError(undefined);
      const setUp = await call<TotpSetUp>({
        method: 'POST',
        path: '/session/factors/totp/options',
        body: {},
      });
      setOpen({ kind: 'app', setUp });
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <Card title={account.factors}>
      <div className="card-pad pt-0 form">
        <p className="help">{account.factorsHelp}</p>
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
          hasFactor={found.data?.totp !== null || found.data.passkeys.length > 0}
          onClose={() => setOpen(undefined)}
          onChanged={changed}
        />
      )}
    </Card>
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

type DialogGiven = Readonly<{
  open: Open;
  hasFactor: boolean;
  onClose: () => void;
  onChanged: (next?: Open) => Promise<void>;
}>;

function FactorDialog({ open, hasFactor, onClose, onChanged }: DialogGiven) {
  switch (open.kind) {
    case 'app':
      return (
        <AppDialog
          setUp={open.setUp}
          hasFactor={hasFactor}
          onClose={onClose}
          onChanged={onChanged}
        />
      );
    case 'passkey':
      return <PasskeyDialog hasFactor={hasFactor} onClose={onClose} onChanged={onChanged} />;
    case 'remove':
      return (
        <Dialog title={account.removePasskey(open.name)} onClose={onClose}>
          <StepUp
            title={shell.stepUp.title}
            actLabel={account.remove}
            isDanger
            onAct={async () => {
              await call({
                method: 'DELETE',
                path: `/session/factors/passkeys/${encodeURIComponent(open.id)}`,
              });
              await onChanged();
            }}
          />
        </Dialog>
      );
    case 'new codes':
      return (
        <Dialog title={account.recovery} onClose={onClose}>
          <div className="form">
            <p className="soft">{account.recoveryHelp}</p>
            <StepUp
              title={shell.stepUp.title}
              actLabel={account.newCodes}
              onAct={async () => {
                const { recoveryCodes } = await call<{ recoveryCodes: readonly string[] }>({
                  method: 'POST',
                  path: '/session/factors/recovery-codes',
                  body: {},
                });
                await onChanged({ kind: 'codes', codes: recoveryCodes });
              }}
            />
          </div>
        </Dialog>
      );
    case 'codes':
      return (
        <Dialog title={account.codesTitle} onClose={onClose} isFirm>
          <RecoveryCodes codes={open.codes} onKept={onClose} />
        </Dialog>
      );
    default: {
      const unhandled: never = open;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function AppDialog({
  setUp,
  hasFactor,
  onClose,
  onChanged,
}: Omit<DialogGiven, 'open'> & Readonly<{ setUp: TotpSetUp }>) {
  const [code, setCode] = useState('');
  const store = async () => {
    const { recoveryCodes } = await call<{ recoveryCodes?: readonly string[] }>({
      method: 'POST',
      path: '/session/factors/totp',
      body: { secret: setUp.secret, code },
    });
    toast(account.saved);
    await onChanged(
      recoveryCodes === undefined ? undefined : { kind: 'codes', codes: recoveryCodes },
    );
  };
  return (
    <Dialog title={account.app} onClose={onClose}>
      <div className="form">
        <TotpFields setUp={setUp} code={code} onCode={setCode} />
        <Prove hasFactor={hasFactor} actLabel={account.setUpApp.replace('…', '')} onAct={store} />
      </div>
    </Dialog>
  );
}

function PasskeyDialog({ hasFactor, onClose, onChanged }: Omit<DialogGiven, 'open'>) {
  const [name, setName] = useState('');
  const add = async () => {
    await passkey.add(name.trim());
    toast(account.saved);
    await onChanged();
  };
  return (
    <Dialog title={account.addPasskey} onClose={onClose}>
      <div className="form">
        <TextField
          label={account.passkeyName}
          help={account.passkeyNameHelp}
          maxLength={60}
          value={name}
          onChange={setName}
        />
        <Prove
          hasFactor={hasFactor}
          actLabel={account.addPasskey}
          inactive={name.trim() === '' ? account.passkeyNameHelp : undefined}
          onAct={add}
        />
      </div>
    </Dialog>
  );
}

type ProveGiven = Readonly<{
  hasFactor: boolean;
  actLabel: string;
  inactive?: string | undefined;
  onAct: () => Promise<void>;
}>;

/** A person without a factor yet has none to show. */
function Prove({ hasFactor, actLabel, inactive, onAct }: ProveGiven) {
  const [error, setError] = useState<unknown>();
  if (hasFactor) {
    return (
      <StepUp title={shell.stepUp.title} actLabel={actLabel} inactive={inactive} onAct={onAct} />
    );
  }
  return (
    <>
      {error !== undefined && <Refused error={error} />}
      <Button kind="main" isBlock inactive={inactive} onClick={() => void onAct().catch(setError)}>
        {actLabel}
      </Button>
    </>
  );
}
