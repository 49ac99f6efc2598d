-- Who of the staff issued a key counts as the maker of what it orders too. Merchants are not shown them: there is no name.
alter table api_keys
  drop constraint api_keys_created_by_check,
  add constraint api_keys_created_by_check check (created_by is not null or created_by_name is null);
