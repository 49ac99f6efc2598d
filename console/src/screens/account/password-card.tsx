import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { account } from '../../texts/en/account.ts';
import { shell } from '../../texts/en/shell.ts';

const PASSWORD_LENGTH_MIN = 12;

export function PasswordCard() {
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const change = async () => {
    setProblem(undefined);
    try {
      await call({ method: 'POST', path: '/session/password', body: { current, password } });
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.problemOf('password'));
      throw error;
    }
    setCurrent('');
    setPassword('');
    setOpen(false);
    toast(account.passwordChanged);
  };
  return (
    <Card title={account.password} isPadded>
      {isOpen ? (
        <div className="form">
          <TextField
            label={account.currentPassword}
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
          />
          <TextField
            label={account.newPassword}
            help={account.passwordHelp}
            problem={problem}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
          />
          <StepUp
            title={shell.stepUp.title}
            actLabel={account.changePassword}
            inactive={password.length < PASSWORD_LENGTH_MIN ? account.passwordHelp : undefined}
            aside={<Button onClick={() => setOpen(false)}>{shell.cancel}</Button>}
            onAct={change}
          />
        </div>
      ) : (
        <Button onClick={() => setOpen(true)}>{`${account.changePassword}…`}</Button>
      )}
    </Card>
  );
}
