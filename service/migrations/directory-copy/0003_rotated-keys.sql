alter table api_keys add column rotated_by uuid;
