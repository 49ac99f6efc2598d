-- All who had a hand in what a payout file orders, as codes of actors (`person:…`, `key:…`): who uploaded it, changed
-- its draft, submitted it, or wrote the rows that it was made from. None of them may approve it, nor one of its transfers.
alter table payout_files add column makers text[] not null default '{}';
-- Who wrote the saved list of a schedule; who changed anything else of it last is its `made_by`.
alter table schedules add column rows_made_by text[] not null default '{}';

-- Also what a merchant that has moved, or is moving, has here: its triggers refuse every other change of it.
alter table schedules disable trigger schedules_of_open;
alter table payout_files disable trigger payout_files_of_open;
alter table payout_files disable trigger payout_files_moving;
update schedules set rows_made_by = array_remove(array['person:' || made_by, 'key:' || made_by_key], null);

with changes as (
  select a.book_id, a.subject, array_agg(distinct a.actor_kind || ':' || a.actor_id) as actors
  from acts a
  where a.actor_kind in ('person', 'key') and a.kind in (
    'PAYOUT_FILE_CHANGED', 'PAYOUT_ROW_CORRECTED', 'PAYOUT_ROW_DROPPED', 'PAYOUT_ROW_RESTORED', 'PAYOUT_ROWS_DROPPED'
  )
  group by a.book_id, a.subject
)
update payout_files f
set makers = array(
  select distinct m.code
  from unnest(
    array[
      'person:' || f.made_by, 'key:' || f.made_by_key, 'person:' || f.submitted_by, 'key:' || f.submitted_by_key
    ] || coalesce((select c.actors from changes c where c.book_id = f.book_id and c.subject = f.id::text), '{}')
  ) as m (code)
  where m.code is not null
);
alter table schedules enable trigger schedules_of_open;
alter table payout_files enable trigger payout_files_of_open;
alter table payout_files enable trigger payout_files_moving;

-- The people behind codes of actors: a person, or who made the key.
create function people_behind(of_book uuid, codes text[]) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select substr(c.code, 8)::uuid from unnest(codes) as c (code) where c.code ~ '^person:[0-9a-f-]{36}$'
    union
    select k.created_by
    from unnest(codes) as c (code)
    join api_keys k on k.book_id = of_book and k.id = substr(c.code, 5)::uuid
    where c.code ~ '^key:[0-9a-f-]{36}$' and k.created_by is not null
  );
end
$$;

create or replace function refuse_own_approval() returns trigger language plpgsql as $$
declare
  codes text[];
begin
  if new.subject_kind = 'transfer' then
    select array[e.actor, 'person:' || t.made_by] || coalesce(f.makers, '{}') into codes
    from transfers t
    left join events e on e.book_id = t.book_id and e.subject_id = t.id and e.seq = 1
    left join payout_files f on f.book_id = t.book_id and f.id = t.file_id
    where t.book_id = new.book_id and t.id = new.subject_id;
  else
    select f.makers into codes from payout_files f where f.book_id = new.book_id and f.id = new.subject_id;
  end if;
  if new.person_id = any (people_behind(new.book_id, codes)) then
    raise exception 'a person cannot decide about what they made' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
