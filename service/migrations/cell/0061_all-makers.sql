-- Files that a move held while migration 0060 ran as it was first released were passed over, and processes of the release
-- before it wrote files without makers after it.
alter table payout_files disable trigger payout_files_of_open;
alter table payout_files disable trigger payout_files_moving;
with changes as (
  select a.book_id, a.subject, array_agg(distinct a.actor_kind || ':' || a.actor_id) as actors
  from acts a
  where a.actor_kind in ('person', 'key') and a.kind in (
    'PAYOUT_FILE_CHANGED', 'PAYOUT_ROW_CORRECTED', 'PAYOUT_ROW_DROPPED', 'PAYOUT_ROW_RESTORED', 'PAYOUT_ROWS_DROPPED'
  )
  group by a.book_id, a.subject
),
known as (
  select f.book_id, f.id, array(
    select m.code
    from unnest(
      array[
        'person:' || f.made_by, 'key:' || f.made_by_key, 'person:' || f.submitted_by, 'key:' || f.submitted_by_key
      ] || c.actors
    ) as m (code)
    where m.code is not null
    union
    select unnest(f.makers)
  ) as makers
  from payout_files f
  left join changes c on c.book_id = f.book_id and c.subject = f.id::text
)
update payout_files f set makers = k.makers
from known k
where k.book_id = f.book_id and k.id = f.id and not f.makers @> k.makers;
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
