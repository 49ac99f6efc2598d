-- The kind says what contradicts, and the sentence is made of it where people read it. Older incidents keep theirs.
alter table incidents alter column detail drop not null;
