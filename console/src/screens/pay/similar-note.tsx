import { Link } from '@tanstack/react-router';
import type { Transfer } from '../../api/types.ts';
import { useBook } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { CheckField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { StatePill } from '../../parts/words.tsx';
import { pay as texts } from '../../texts/en/pay.ts';

type Given = Readonly<{
  similar: readonly Transfer[];
  isAnswered: boolean;
  onAnswer: (isAnother: boolean) => void;
}>;

/** The same amount to the same number a short while ago is most often a mistake: a person has to say that it is not. */
export function SimilarNote({ similar, isAnswered, onAnswer }: Given) {
  const book = useBook();
  return (
    <Note tone="caution">
      <p>
        <b>{texts.similar.title}</b>
      </p>
      {similar.map(({ id, currency, amount, reference, createdAt, state }) => (
        <p key={id}>
          <Amount currency={currency} amount={amount} /> {texts.similar.to}{' '}
          <Link to={`/b/${book.id}/transfers/${id}`} className="id id-wrap break" target="_blank">
            {reference}
          </Link>
          , <Time at={createdAt} /> <StatePill state={state} />
        </p>
      ))}
      <p>{texts.similar.both}</p>
      <CheckField label={texts.similar.answer} isChecked={isAnswered} onChange={onAnswer} />
    </Note>
  );
}
