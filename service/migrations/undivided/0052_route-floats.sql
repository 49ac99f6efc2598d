-- The float of a route: what an operator says that our account with it holds, as it was last told. One process at a time
-- asks: it moves `next_at` on before it does. Routes belong to no book.
create table route_floats (
  route text not null check (char_length(route) between 1 and 60),
  currency text not null check (currency in ('ZMW', 'NGN')),
  -- A fingerprint. Routes with the same one share the money.
  account text check (char_length(account) between 1 and 120),
  -- False: the operator has no call for it.
  tells_balance boolean not null,
  low_below_minor bigint check (low_below_minor > 0),
  low_hours double precision not null check (low_hours >= 0),
  next_at timestamptz not null,
  -- May be below zero.
  operator_minor bigint,
  read_at timestamptz,
  -- Of the last question, if it was not answered, and since when none is.
  error text check (char_length(error) between 1 and 200),
  failing_since timestamptz,
  -- From here on our own figure is counted: what the operator told, and what was paid in the same hour before.
  opening_minor bigint,
  opened_at timestamptz,
  opening_paid_minor bigint check (opening_paid_minor >= 0),
  -- Sent and without a known end; and not sent yet.
  under_way_minor bigint not null default 0 check (under_way_minor >= 0),
  queued_minor bigint not null default 0 check (queued_minor >= 0),
  counted_at timestamptz,
  -- Hours of route_hours before this one are counted for good.
  final_until timestamptz,
  level text not null default 'unknown' check (level in ('ok', 'low', 'out', 'unknown')),
  primary key (route, currency),
  check ((operator_minor is null) = (read_at is null)),
  check ((error is null) = (failing_since is null)),
  check ((opening_minor is null) = (opened_at is null)),
  check ((opening_minor is null) = (opening_paid_minor is null))
);

-- What was paid by a route in an hour, by the end of the transfers. Kept, so that each hour is read once it is over.
create table route_hours (
  route text not null check (char_length(route) between 1 and 60),
  currency text not null check (currency in ('ZMW', 'NGN')),
  hour timestamptz not null,
  paid_minor bigint not null check (paid_minor >= 0),
  primary key (route, currency, hour)
);
