-- Days on which a country does not work, beside weekends. People enter and remove them: governments declare some a few days
-- before, and move others.
create table holidays (
  country text not null check (country in ('zm', 'ng')),
  day date not null,
  name text not null check (char_length(name) between 1 and 100),
  -- Where it is known from, such as a law or a notice of the ministry.
  source text not null check (char_length(source) between 1 and 200),
  -- Null: it came with the service.
  entered_by uuid,
  entered_by_name text check (char_length(entered_by_name) between 1 and 200),
  entered_at timestamptz not null,
  primary key (country, day),
  check ((entered_by is null) = (entered_by_name is null))
);

-- Counts up with every change of a country's holidays. Schedules keep the number by which their next time was found.
create table holiday_versions (
  country text primary key check (country in ('zm', 'ng')),
  version integer not null check (version > 0)
);
insert into holiday_versions (country, version) values ('zm', 1), ('ng', 1);

-- Those that the law of a country gives a date, or a distance from Easter. In Zambia a Monday is free when the Sunday before it is
-- a holiday. Islamic ones follow the moon and are declared; people enter them.
insert into holidays (country, day, name, source, entered_at)
select country, day::date, name, case country
    when 'zm' then 'Public Holidays Act of Zambia'
    else 'Public Holidays Act of Nigeria'
  end, '2026-01-01T00:00:00Z'
from (values
  ('zm', '2026-01-01', 'New Year''s Day'),
  ('zm', '2026-03-08', 'International Women''s Day'),
  ('zm', '2026-03-09', 'International Women''s Day (Monday after)'),
  ('zm', '2026-03-12', 'Youth Day'),
  ('zm', '2026-04-03', 'Good Friday'),
  ('zm', '2026-04-04', 'Holy Saturday'),
  ('zm', '2026-04-06', 'Easter Monday'),
  ('zm', '2026-04-28', 'Kenneth Kaunda Day'),
  ('zm', '2026-05-01', 'Labour Day'),
  ('zm', '2026-05-25', 'Africa Freedom Day'),
  ('zm', '2026-07-06', 'Heroes'' Day'),
  ('zm', '2026-07-07', 'Unity Day'),
  ('zm', '2026-08-03', 'Farmers'' Day'),
  ('zm', '2026-10-18', 'National Day of Prayer'),
  ('zm', '2026-10-19', 'National Day of Prayer (Monday after)'),
  ('zm', '2026-10-24', 'Independence Day'),
  ('zm', '2026-12-25', 'Christmas Day'),
  ('zm', '2027-01-01', 'New Year''s Day'),
  ('zm', '2027-03-08', 'International Women''s Day'),
  ('zm', '2027-03-12', 'Youth Day'),
  ('zm', '2027-03-26', 'Good Friday'),
  ('zm', '2027-03-27', 'Holy Saturday'),
  ('zm', '2027-03-29', 'Easter Monday'),
  ('zm', '2027-04-28', 'Kenneth Kaunda Day'),
  ('zm', '2027-05-01', 'Labour Day'),
  ('zm', '2027-05-25', 'Africa Freedom Day'),
  ('zm', '2027-07-05', 'Heroes'' Day'),
  ('zm', '2027-07-06', 'Unity Day'),
  ('zm', '2027-08-02', 'Farmers'' Day'),
  ('zm', '2027-10-18', 'National Day of Prayer'),
  ('zm', '2027-10-24', 'Independence Day'),
  ('zm', '2027-10-25', 'Independence Day (Monday after)'),
  ('zm', '2027-12-25', 'Christmas Day'),
  ('zm', '2028-01-01', 'New Year''s Day'),
  ('zm', '2028-03-08', 'International Women''s Day'),
  ('zm', '2028-03-12', 'Youth Day'),
  ('zm', '2028-03-13', 'Youth Day (Monday after)'),
  ('zm', '2028-04-14', 'Good Friday'),
  ('zm', '2028-04-15', 'Holy Saturday'),
  ('zm', '2028-04-17', 'Easter Monday'),
  ('zm', '2028-04-28', 'Kenneth Kaunda Day'),
  ('zm', '2028-05-01', 'Labour Day'),
  ('zm', '2028-05-25', 'Africa Freedom Day'),
  ('zm', '2028-07-03', 'Heroes'' Day'),
  ('zm', '2028-07-04', 'Unity Day'),
  ('zm', '2028-08-07', 'Farmers'' Day'),
  ('zm', '2028-10-18', 'National Day of Prayer'),
  ('zm', '2028-10-24', 'Independence Day'),
  ('zm', '2028-12-25', 'Christmas Day'),
  ('ng', '2026-01-01', 'New Year''s Day'),
  ('ng', '2026-04-03', 'Good Friday'),
  ('ng', '2026-04-06', 'Easter Monday'),
  ('ng', '2026-05-01', 'Workers'' Day'),
  ('ng', '2026-06-12', 'Democracy Day'),
  ('ng', '2026-10-01', 'Independence Day'),
  ('ng', '2026-12-25', 'Christmas Day'),
  ('ng', '2026-12-26', 'Boxing Day'),
  ('ng', '2027-01-01', 'New Year''s Day'),
  ('ng', '2027-03-26', 'Good Friday'),
  ('ng', '2027-03-29', 'Easter Monday'),
  ('ng', '2027-05-01', 'Workers'' Day'),
  ('ng', '2027-06-12', 'Democracy Day'),
  ('ng', '2027-10-01', 'Independence Day'),
  ('ng', '2027-12-25', 'Christmas Day'),
  ('ng', '2027-12-26', 'Boxing Day'),
  ('ng', '2028-01-01', 'New Year''s Day'),
  ('ng', '2028-04-14', 'Good Friday'),
  ('ng', '2028-04-17', 'Easter Monday'),
  ('ng', '2028-05-01', 'Workers'' Day'),
  ('ng', '2028-06-12', 'Democracy Day'),
  ('ng', '2028-10-01', 'Independence Day'),
  ('ng', '2028-12-25', 'Christmas Day'),
  ('ng', '2028-12-26', 'Boxing Day')
) as shipped (country, day, name);

-- How late a scheduled payout may still be sent by itself. Set with the policy that is in force; null: 24 hours.
alter table books add column send_late_within_ms bigint check (send_late_within_ms >= 0);

-- A list of payouts that is paid again every month or week.
create table schedules (
  book_id uuid not null references books (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  wallet_id uuid not null,
  country text not null check (country in ('zm', 'ng')),
  currency text not null check (currency in ('ZMW', 'NGN')),
  every text not null check (every in ('month', 'week')),
  -- 1 to 31, last, last_working_day, or mon to sun.
  day text not null check (
    case every
      when 'month' then day ~ '^([1-9]|[12][0-9]|3[01]|last|last_working_day)$'
      else day in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')
    end
  ),
  at text not null check (at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  zone text not null check (char_length(zone) between 1 and 60),
  if_holiday text not null check (if_holiday in ('before', 'after', 'same')),
  state text not null check (state in ('active', 'paused', 'ended')),
  -- The number of the month or week whose occurrence is the next, and when that is. Only the number decides what was made:
  -- the time follows the holidays.
  next_period integer not null,
  next_at timestamptz,
  holidays_version integer not null,
  rows_total integer not null check (rows_total between 1 and 50000),
  sum_minor bigint not null check (sum_minor > 0),
  -- Who made or last changed it, and counts as maker of its payouts: a person or a key.
  made_by uuid,
  made_by_key uuid,
  made_by_name text not null check (char_length(made_by_name) between 1 and 300),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (book_id, id),
  check ((made_by is null) <> (made_by_key is null)),
  check ((state = 'ended') = (ended_at is not null)),
  check ((state = 'active') = (next_at is not null))
);
create index schedules_due on schedules (next_at) where next_at is not null;
create index schedules_by_holidays on schedules (country, holidays_version) where next_at is not null;

create table schedule_rows (
  book_id uuid not null,
  schedule_id uuid not null,
  number integer not null check (number between 1 and 50000),
  phone text not null check (char_length(phone) between 8 and 16),
  operator text not null check (operator in ('airtel', 'mtn', 'zamtel', 'vodacom')),
  country text not null check (country in ('zm', 'ng')),
  amount_minor bigint not null check (amount_minor between 1 and 100000000000),
  recipient_name text check (char_length(recipient_name) <= 100),
  narration text check (char_length(narration) <= 100),
  given_reference text check (char_length(given_reference) <= 100),
  primary key (book_id, schedule_id, number)
);

-- One time of a schedule, made once: the key holds that. Its payout file is made in the same transaction.
create table schedule_occurrences (
  book_id uuid not null,
  schedule_id uuid not null,
  -- Such as 2026-11 or 2026-W47.
  period text not null check (period ~ '^[0-9]{4}-(W?[0-9]{2})$'),
  -- By the rule alone, and when it was to be paid after holidays.
  day date not null,
  pay_at timestamptz not null,
  made_at timestamptz not null,
  file_id uuid not null,
  -- Why it waits for a person although the policy may ask for none; null: it does not.
  waits_because text check (waits_because in ('LATE', 'MAKER_LEFT')),
  state text not null check (state in ('made', 'submitted', 'refused')),
  refusal_code text check (char_length(refusal_code) between 1 and 60),
  refusal_detail text check (char_length(refusal_detail) <= 300),
  -- The process that submits it has it until then.
  next_action_at timestamptz,
  primary key (book_id, schedule_id, period),
  check ((state = 'made') = (next_action_at is not null)),
  check ((state = 'refused') = (refusal_code is not null))
);
create index schedule_occurrences_due on schedule_occurrences (next_action_at) where next_action_at is not null;
create index schedule_occurrences_by_day on schedule_occurrences (book_id, pay_at);
create unique index schedule_occurrences_of_file on schedule_occurrences (book_id, file_id);

-- What was made stays made: a deleted row would let it be made again.
create trigger schedule_occurrences_kept before delete on schedule_occurrences
  for each row execute function refuse_change();
create trigger schedule_occurrences_no_truncate before truncate on schedule_occurrences
  for each statement execute function refuse_change();

-- The calendar.
create index payout_files_by_pay_at on payout_files (book_id, pay_at) where pay_at is not null;
