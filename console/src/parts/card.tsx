import { type ReactNode, useId } from 'react';

type Given = Readonly<{
  title?: ReactNode;
  /** At the right of the title: a fact or a link. */
  aside?: ReactNode;
  foot?: ReactNode;
  /** Space round the content. Tables go without. */
  isPadded?: boolean;
  children: ReactNode;
}>;

export function Card({ title, aside, foot, isPadded = false, children }: Given) {
  const titleId = useId();
  return (
    <section className="card" aria-labelledby={title === undefined ? undefined : titleId}>
      {title !== undefined && (
        <div className="card-head">
          <h2 id={titleId}>{title}</h2>
          {aside !== undefined && <div className="faint small">{aside}</div>}
        </div>
      )}
      {isPadded ? (
        <div className={title === undefined ? 'card-pad' : 'card-pad pt-0'}>{children}</div>
      ) : (
        children
      )}
      {foot !== undefined && <div className="card-foot">{foot}</div>}
    </section>
  );
}

/** Pairs of a word and its fact. */
export function Facts({
  facts,
  isMoney = false,
}: Readonly<{ facts: readonly (readonly [string, ReactNode])[]; isMoney?: boolean }>) {
  return (
    <dl className={isMoney ? 'facts facts-money' : 'facts'}>
      {facts.map(([word, fact]) => (
        <div key={word} className="facts-pair">
          <dt>{word}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
