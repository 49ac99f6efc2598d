-- Moves of merchants to other cells. One at a time for each merchant. What it may do meanwhile is in the cells.
create table moves (
  merchant_id uuid not null references merchants (id),
  -- The merchant's epoch once it has moved.
  epoch integer not null check (epoch > 1),
  from_cell text not null references cells (name),
  to_cell text not null references cells (name) check (to_cell <> from_cell),
  phase text not null check (phase in ('closing', 'copied', 'switched', 'opened', 'undone', 'forgotten')),
  began_at timestamptz not null,
  switched_at timestamptz,
  -- Opened in the new cell, or undone.
  ended_at timestamptz check ((ended_at is null) = (phase in ('closing', 'copied', 'switched'))),
  primary key (merchant_id, began_at)
);
create unique index moves_open on moves (merchant_id) where ended_at is null;
create unique index moves_epoch on moves (merchant_id, epoch) where phase <> 'undone';

-- Keys and sessions know where a merchant is, and every process looks again within a second.
create constraint trigger merchants_access after update of cell, epoch on merchants
  deferrable initially deferred for each row execute function raise_access_version();
create constraint trigger moves_access after insert or update of phase on moves
  deferrable initially deferred for each row execute function raise_access_version();
