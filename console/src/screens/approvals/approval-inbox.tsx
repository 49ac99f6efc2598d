import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { ApprovalItem, ApprovalView } from '../../api/control-types.ts';
import { Sums } from '../../parts/amount.tsx';
import { CheckField } from '../../parts/field.tsx';
import { NewerRows } from '../../parts/table-strip.tsx';
import { Age } from '../../parts/time.tsx';
import { StatePill, Tag } from '../../parts/words.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { sayCount, sayMaker, subjectOf } from './approval-subject.ts';

type Given = Readonly<{
  view: ApprovalView;
  items: readonly ApprovalItem[];
  openId: string | undefined;
  isGone: (item: ApprovalItem) => boolean;
  newer: number;
  onShowNewer: () => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>, toggled?: string) => void;
}>;

/** What waits, oldest first. Only what the reader can decide can be selected. */
export function ApprovalInbox(given: Given) {
  const { view, items, openId, isGone, selected, onSelect } = given;
  const titleId = useId();
  const choosable = items.filter((item) => item.iCan && !isGone(item));
  const toggle = (id: string) => {
    const ids = new Set(selected);
    if (!ids.delete(id)) ids.add(id);
    onSelect(ids, id);
  };
  return (
    <section className="card" aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        {texts.inbox[view]}
      </h2>
      {given.newer > 0 && (
        <NewerRows
          count={given.newer}
          one={texts.one}
          other={texts.other}
          onShow={given.onShowNewer}
        />
      )}
      <ul className="inbox">
        {items.map((item) => (
          <InboxItem
            key={item.id}
            item={item}
            view={view}
            isOpen={item.id === openId}
            isGone={isGone(item)}
            isSelected={selected.has(item.id)}
            onToggle={choosable.includes(item) ? () => toggle(item.id) : undefined}
          />
        ))}
      </ul>
      {choosable.length > 1 && (
        <div className="card-foot">
          <CheckField
            label={texts.selectAll(choosable.length)}
            isChecked={choosable.every(({ id }) => selected.has(id))}
            onChange={(isChecked) =>
              onSelect(new Set(isChecked ? choosable.map(({ id }) => id) : []))
            }
          />
          <span className="push">{texts.selected(selected.size)}</span>
        </div>
      )}
    </section>
  );
}

type ItemGiven = Readonly<{
  item: ApprovalItem;
  view: ApprovalView;
  isOpen: boolean;
  isGone: boolean;
  isSelected: boolean;
  /** Undefined: not for the reader to decide. */
  onToggle: (() => void) | undefined;
}>;

function InboxItem({ item, view, isOpen, isGone, isSelected, onToggle }: ItemGiven) {
  const subject = subjectOf(item);
  const { name, sums } = subject;
  const { transfer, maker } = item;
  return (
    <li
      // The open one is not dimmed: on its background the text would be too faint to read.
      className={isGone && !isOpen ? 'inbox-item row-dim' : 'inbox-item'}
      aria-current={isOpen ? 'true' : undefined}
    >
      {onToggle === undefined ? (
        <span className={view === 'decided' ? undefined : 'check-none'} />
      ) : (
        <input
          type="checkbox"
          aria-label={texts.select(name)}
          checked={isSelected}
          onChange={onToggle}
        />
      )}
      <Link
        to="."
        search={(now: object) => ({ ...now, open: item.id }) as never}
        resetScroll={false}
        className="inbox-link"
      >
        {name}
      </Link>
      <span className="inbox-sub wide">
        {sayCount(subject)} {sayMaker(maker, transfer?.source ?? item.file?.source)}
      </span>
      <span className="inbox-sub">
        {view === 'decided' ? (
          transfer !== null && transfer !== undefined && <StatePill state={transfer.state} />
        ) : isGone ? (
          texts.gone
        ) : (
          <>
            {texts.waits} <Age since={item.createdAt} />
          </>
        )}
        {item.impossible && !isGone && view !== 'decided' && (
          <>
            {' '}
            <Tag tone="bad">{texts.votes.noneCan}</Tag>
          </>
        )}
      </span>
      <span className="inbox-num strong">
        <Sums sums={sums} />
      </span>
    </li>
  );
}
