import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Given = Readonly<{
  icon: IconName;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}>;

/** What this is, what it is for, one action. */
export function Empty({ icon, title, children, actions }: Given) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p className="soft">{children}</p>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}
