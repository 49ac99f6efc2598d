import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export type Tab = Readonly<{
  key: string;
  label: ReactNode;
  /** The search parameters that this tab sets. */
  search: Readonly<Record<string, string>>;
  isCurrent: boolean;
  count?: number;
  countTone?: 'you' | 'doubt';
}>;

/** Views of one list. Each is an address, so these are links. */
export function Tabs({
  label,
  tabs,
  after,
}: Readonly<{ label: string; tabs: readonly Tab[]; after?: ReactNode }>) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.key}>
            <Link
              to="."
              search={tab.search}
              aria-current={tab.isCurrent ? 'page' : undefined}
              // Else a tab without a search of its own would be the current one beside every other.
              activeOptions={{ exact: true }}
            >
              {tab.label}
              {tab.count !== undefined && <Count count={tab.count} tone={tab.countTone} />}
            </Link>
          </li>
        ))}
        {after !== undefined && <li>{after}</li>}
      </ul>
    </nav>
  );
}

/** Blue: you can act on these. Plum: doubts. Grey: for information. */
export function Count({
  count,
  tone,
}: Readonly<{ count: number; tone?: 'you' | 'doubt' | undefined }>) {
  return (
    <span className={tone === undefined ? 'count' : `count count-${tone}`}>
      {count > 99 ? '99+' : count}
    </span>
  );
}
