-- What a callback reports of a payout has the word of the glossary.
alter table callbacks rename column told_amount_minor to reported_amount_minor;
alter table callbacks rename column told_currency to reported_currency;
alter table callbacks rename column told_phone to reported_phone;

-- The same code as the cause of the event. The kind counts only while a transfer is in doubt.
update transfers set doubt_kind = 'INQUIRY_IMPOSSIBLE'
where state = 'in_doubt' and doubt_kind = 'CANNOT_BE_ASKED';

alter table name_lookups rename column asked_at to looked_up_at;
alter table name_lookup_days rename column asked to lookups;

-- Recorded lookups keep what they say, under the new codes. The triggers are off within this transaction alone.
alter table name_lookups disable trigger name_lookups_append_only;
alter table name_lookups
  drop constraint name_lookups_source_check,
  drop constraint name_lookups_result_check,
  drop constraint name_lookups_check;
update name_lookups
set source = case source when 'nobody' then 'none' else source end,
    result = case result when 'unaskable' then 'unsupported' else result end
where source = 'nobody' or result = 'unaskable';
alter table name_lookups
  add constraint name_lookups_source_check check (source in ('operator', 'cache', 'none')),
  add constraint name_lookups_result_check
    check (result in ('resolved', 'noAccount', 'unreachable', 'unsupported', 'noRoute')),
  add constraint name_lookups_source_route check ((source = 'none') = (route is null));
alter table name_lookups enable trigger name_lookups_append_only;

alter table proposals disable trigger proposals_kept;
alter table proposals drop constraint proposals_ended_as_check;
update proposals set ended_as = 'superseded' where ended_as = 'overtaken';
alter table proposals add constraint proposals_ended_as_check
  check (ended_as in ('carried_out', 'withdrawn', 'expired', 'superseded'));
alter table proposals enable trigger proposals_kept;
