import { useEffect, useRef, useState } from 'react';
import { shell } from '../texts/en/shell.ts';
import { CodeField, TextField } from './field.tsx';

const APP_CODE = /^[0-9]{6}$/;
/** Without the spaces and dashes between its groups. */
const RECOVERY_CODE = /^[a-z0-9]{16}$/i;
const TYPED_LENGTH_MAX = 40;

/** Whether it can be sent; what it opens is decided by the service. */
export function isWholeCode(code: string): boolean {
  return APP_CODE.test(code) || RECOVERY_CODE.test(code.replace(/[\s-]/g, ''));
}

type Given = Readonly<{ code: string; onCode: (code: string) => void }>;

/** A code from the authenticator app, or a recovery code where the app is lost. */
export function SecondFactorField({ code, onCode }: Given) {
  const [turns, setTurns] = useState(0);
  const help = useRef<HTMLSpanElement>(null);
  const isRecovery = turns % 2 === 1;
  useEffect(() => {
    // The button that was pressed is gone, and the focus with it.
    if (turns > 0) help.current?.closest('.field')?.querySelector('input')?.focus();
  }, [turns]);
  const turn = () => {
    // A half of one kind is of no use as the other.
    onCode('');
    setTurns(turns + 1);
  };
  return isRecovery ? (
    <TextField
      label={shell.stepUp.recovery}
      autoComplete="off"
      spellCheck={false}
      maxLength={TYPED_LENGTH_MAX}
      value={code}
      onChange={onCode}
      help={
        <span ref={help}>
          {shell.stepUp.recoveryHelp} <SwitchCode onSwitch={turn}>{shell.stepUp.toApp}</SwitchCode>
        </span>
      }
    />
  ) : (
    <CodeField
      label={shell.stepUp.code}
      value={code}
      onChange={onCode}
      help={
        <span ref={help}>
          {shell.stepUp.codeHelp} {shell.stepUp.lost}{' '}
          <SwitchCode onSwitch={turn}>{shell.stepUp.toRecovery}</SwitchCode>
        </span>
      }
    />
  );
}

function SwitchCode({ onSwitch, children }: Readonly<{ onSwitch: () => void; children: string }>) {
  return (
    <button type="button" className="as-link" onClick={onSwitch}>
      {children}
    </button>
  );
}
