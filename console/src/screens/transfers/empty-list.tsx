import { Link } from '@tanstack/react-router';
import { useBook, useMay } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NothingFound } from '../../parts/nothing-found.tsx';
import { NewerRows } from '../../parts/table-strip.tsx';
import { transfers as texts } from '../../texts/en/transfers.ts';

type Given = Readonly<{
  /** The filters that are set, in words. */
  filters: readonly Readonly<{ name: string; says: string }>[];
  newer: number;
  onShowNewer: () => void;
  onRemove: (name: string) => void;
  onClear: () => void;
}>;

export function EmptyList({ filters, newer, onShowNewer, onRemove, onClear }: Given) {
  const book = useBook();
  const mayPay = useMay()('payouts:write');
  const [only] = filters;
  return (
    <Card>
      <NewerRows count={newer} one={texts.one} other={texts.other} onShow={onShowNewer} />
      {only === undefined ? (
        <Empty
          icon="list"
          title={texts.empty}
          actions={
            mayPay && (
              <Link to={`/b/${book.id}/pay`} className="btn btn-main">
                <Icon name="pay" />
                {texts.pay}
              </Link>
            )
          }
        >
          {texts.emptyDetail}
          {book.mode === 'test' && ` ${texts.emptyTest}`}
        </Empty>
      ) : (
        <NothingFound
          texts={texts}
          onClear={onClear}
          otherActs={
            filters.length > 1 &&
            filters.map(({ name, says }) => (
              <Button key={name} onClick={() => onRemove(name)}>
                {texts.without(says)}
              </Button>
            ))
          }
        >
          {texts.nothingDetail(filters.map(({ says }) => says))}
        </NothingFound>
      )}
    </Card>
  );
}
