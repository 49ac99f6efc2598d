import { useEffect, useRef } from 'react';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Tag } from '../../parts/words.tsx';
import { approvals } from '../../texts/en/approvals.ts';
import { subjectOf } from './approval-subject.ts';
import type { Outcome } from './decide-box.tsx';

const texts = approvals.results;

/** The answers of another act are another element, so that it gets the focus again. */
export function keyOf({ decision, items }: Outcome): string {
  return `${decision} ${items.map(({ id }) => id).join(' ')}`;
}

/** One answer for each, because others may have decided some in the meantime. */
export function DecideResults({
  outcome: { decision, items, answers },
  onClose,
}: Readonly<{ outcome: Outcome; onClose: () => void }>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Card title={texts.title} isPadded>
      <div className="form results" tabIndex={-1} ref={place} role="group" aria-label={texts.title}>
        <ul className="answers">
          {items.map((item) => {
            const answer = answers.find(({ id }) => id === item.id);
            return (
              <li key={item.id}>
                <span className="two">
                  {subjectOf(item).name}
                  {item.transfer !== null && item.transfer !== undefined && (
                    <small className="id">{item.transfer.reference}</small>
                  )}
                  {answer?.ok !== true && <small>{answer?.message}</small>}
                </span>
                {answer?.ok === true ? (
                  <Tag tone="good">{texts[decision]}</Tag>
                ) : (
                  <span className="two">
                    <Tag tone="caution">{texts.refused}</Tag>
                    <small className="id">{answer?.code}</small>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
        <div className="actions">
          <Button onClick={onClose}>{texts.close}</Button>
        </div>
      </div>
    </Card>
  );
}
