-- How much is stored of each route's calls, kept by the statements that store and delete them: counting
-- them each time would read the whole table.
create table callback_usage (
  route text primary key check (char_length(route) between 1 and 60),
  calls bigint not null check (calls >= 0),
  bytes bigint not null check (bytes >= 0)
);
insert into callback_usage (route, calls, bytes)
select route, count(*), sum(octet_length(body)) from callbacks group by route;

-- For those that are old enough to be deleted.
create index callbacks_handled on callbacks (handled_at) where handled_at is not null;
