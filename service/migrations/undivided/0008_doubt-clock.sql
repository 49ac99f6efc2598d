-- When a doubt began, by the database's own clock. in_doubt_since is what merchants are shown, by the clock
-- of the process that noted it; how old a doubt is must not depend on that, since it decides whether a
-- payout that nobody knows of is given up. Null counts as just begun.
alter table transfers add column doubt_began_at timestamptz;
update transfers set doubt_began_at = now() where state = 'in_doubt';
