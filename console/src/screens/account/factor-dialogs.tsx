import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { TotpSetUp } from '../../api/types.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Refused } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { passkey } from '../../parts/passkey.ts';
import { RecoveryCodes } from '../../parts/recovery-codes.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { TotpFields } from '../../parts/totp-set-up.tsx';
import { useRun } from '../../parts/use-run.ts';
import { account } from '../../texts/en/account.ts';
import { shell } from '../../texts/en/shell.ts';
import { askForAppKey } from './ask-for-app-key.ts';

export type Open =
  | Readonly<{ kind: 'show' }>
  | Readonly<{ kind: 'confirm app' }>
  | Readonly<{ kind: 'app'; setUp: TotpSetUp }>
  | Readonly<{ kind: 'passkey' }>
  | Readonly<{ kind: 'remove'; id: string; name: string }>
  | Readonly<{ kind: 'new codes' }>
  | Readonly<{ kind: 'codes'; codes: readonly string[] }>;

type DialogGiven = Readonly<{
  open: Open;
  hasFactor: boolean;
  onClose: () => void;
  onChanged: (next?: Open) => Promise<void>;
}>;

export function FactorDialog({ open, hasFactor, onClose, onChanged }: DialogGiven) {
  switch (open.kind) {
    case 'show':
      return (
        <Dialog title={account.factors} onClose={onClose}>
          <StepUp
            title={shell.stepUp.title}
            actLabel={account.showFactorAct}
            onAct={() => onChanged()}
          />
        </Dialog>
      );
    case 'confirm app':
      return (
        <Dialog title={account.app} onClose={onClose}>
          <div className="form">
            <p className="soft">{account.confirmFirst}</p>
            <StepUp
              title={shell.stepUp.title}
              actLabel={account.showKey}
              onAct={async () => onChanged({ kind: 'app', setUp: await askForAppKey() })}
            />
          </div>
        </Dialog>
      );
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
  const { isBusy, error, run } = useRun();
  if (hasFactor) {
    return (
      <StepUp title={shell.stepUp.title} actLabel={actLabel} inactive={inactive} onAct={onAct} />
    );
  }
  return (
    <>
      {error !== undefined && <Refused error={error} />}
      <Button
        kind="main"
        isBlock
        isBusy={isBusy}
        inactive={inactive}
        onClick={() => void run(onAct)}
      >
        {actLabel}
      </Button>
    </>
  );
}
