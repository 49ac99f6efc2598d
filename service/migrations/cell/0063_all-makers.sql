-- Files that a move held while migration 0060 ran as it was first released were passed over, processes of the release
-- before it wrote files without makers after it, and schedules kept only the one who changed them last. All who changed a
-- schedule count among its makers now; `rows_made_by` keeps its name, by which processes of the release before read it.
alter table schedules disable trigger schedules_of_open;
alter table payout_files disable trigger payout_files_of_open;
alter table payout_files disable trigger payout_files_moving;
with codes as (
  select s.book_id, s.id, coalesce('person:' || s.made_by, 'key:' || s.made_by_key) as code
  from schedules s
  union all
  select s.book_id, s.id, a.actor_kind || ':' || a.actor_id
  from acts a
  join schedules s on s.book_id = a.book_id and s.id::text = a.subject
  where a.actor_kind in ('person', 'key') and a.kind in ('SCHEDULE_CREATED', 'SCHEDULE_CHANGED')
),
known as (
  select book_id, id, array_agg(distinct code) as makers from codes group by book_id, id
)
update schedules s set rows_made_by = array(select unnest(s.rows_made_by) union select unnest(k.makers))
from known k
where k.book_id = s.book_id and k.id = s.id and not s.rows_made_by @> k.makers;

with codes as (
  select f.book_id, f.id, m.code
  from payout_files f
  cross join unnest(array[
    'person:' || f.made_by, 'key:' || f.made_by_key, 'person:' || f.submitted_by, 'key:' || f.submitted_by_key
  ]) as m (code)
  where m.code is not null
  union all
  select f.book_id, f.id, a.actor_kind || ':' || a.actor_id
  from acts a
  join payout_files f on f.book_id = a.book_id and f.id::text = a.subject
  where a.actor_kind in ('person', 'key') and a.kind in (
    'PAYOUT_FILE_CHANGED', 'PAYOUT_ROW_CORRECTED', 'PAYOUT_ROW_DROPPED', 'PAYOUT_ROW_RESTORED', 'PAYOUT_ROWS_DROPPED'
  )
  union all
  select f.book_id, f.id, a.actor_kind || ':' || a.actor_id
  from acts a
  join payout_files f on f.book_id = a.book_id and f.schedule_id::text = a.subject and f.created_at >= a.acted_at
  where a.actor_kind in ('person', 'key') and a.kind in ('SCHEDULE_CREATED', 'SCHEDULE_CHANGED')
),
known as (
  select book_id, id, array_agg(distinct code) as makers from codes group by book_id, id
)
update payout_files f set makers = array(select unnest(f.makers) union select unnest(k.makers))
from known k
where k.book_id = f.book_id and k.id = f.id and not f.makers @> k.makers;
alter table schedules enable trigger schedules_of_open;
alter table payout_files enable trigger payout_files_of_open;
alter table payout_files enable trigger payout_files_moving;

-- A process of a release that knows no makers can write files until it is stopped.
create function add_makers() returns trigger language plpgsql as $$
begin
  new.makers := new.makers || array(
    select m.code
    from unnest(array[
      'person:' || new.made_by, 'key:' || new.made_by_key, 'person:' || new.submitted_by, 'key:' || new.submitted_by_key
    ]) as m (code)
    where m.code is not null
    except
    select unnest(new.makers)
  );
  return new;
end
$$;
create trigger payout_files_makers
  before insert or update of made_by, made_by_key, submitted_by, submitted_by_key on payout_files
  for each row execute function add_makers();

-- Also who rotated the key: they have seen its secret. The column is read by its name, because the first cell of a server is
-- migrated before the directory, and has the function until then.
create or replace function people_behind(of_book uuid, codes text[]) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select substr(c.code, 8)::uuid from unnest(codes) as c (code) where c.code ~ '^person:[0-9a-f-]{36}$'
    union
    select p.id
    from unnest(codes) as c (code)
    join api_keys k on k.book_id = of_book and k.id = substr(c.code, 5)::uuid
    cross join unnest(array[k.created_by, (to_jsonb(k) ->> 'rotated_by')::uuid]) as p (id)
    where c.code ~ '^key:[0-9a-f-]{36}$' and p.id is not null
  );
end
$$;
