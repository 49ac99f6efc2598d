import { type ReactNode, useEffect } from 'react';
import { Brand, Icon } from '../../parts/icon.tsx';
import { shell } from '../../texts/en/shell.ts';
import { signIn } from '../../texts/en/sign-in.ts';

/** The frame of the pages before a session: the form left, what Kafue promises right. */
export function EntryFrame({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  useEffect(() => {
    document.title = `${title} · ${shell.product}`;
  }, [title]);
  return (
    <main className="entry">
      <section className="entry-form">
        <p className="entry-brand">
          <Brand />
          <span>{shell.product}</span>
        </p>
        <h1>{title}</h1>
        {children}
      </section>
      <aside className="entry-side" aria-label={signIn.about}>
        <p className="entry-say">{signIn.promise}</p>
        <ul className="entry-list">
          {signIn.points.map(({ icon, strong, text }) => (
            <li key={strong}>
              <Icon name={icon} />
              <span>
                <b>{strong}</b> {text}
              </span>
            </li>
          ))}
        </ul>
        <p className="help">{signIn.never(location.host)}</p>
      </aside>
    </main>
  );
}
