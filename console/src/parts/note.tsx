import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Tone = 'info' | 'good' | 'caution' | 'bad' | 'doubt';

const ICONS: Readonly<Record<Tone, IconName>> = {
  info: 'info',
  good: 'succeeded',
  caution: 'alert',
  bad: 'failed',
  doubt: 'in_doubt',
};

type Given = Readonly<{
  tone: Tone;
  children: ReactNode;
  action?: ReactNode;
  /** Read out when it appears: for the outcome of the reader's own act. */
  isAlert?: boolean;
}>;

export function Note({ tone, children, action, isAlert = false }: Given) {
  return (
    <div className={`note note-${tone}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
      {action}
    </div>
  );
}
