-- Whatever refuses to lose a row refuses to lose all of them: truncate does not fire the triggers for rows.
create trigger events_no_truncate before truncate on events
  for each statement execute function refuse_change();
create trigger attempts_no_truncate before truncate on attempts
  for each statement execute function refuse_change();
create trigger webhook_endpoint_versions_no_truncate before truncate on webhook_endpoint_versions
  for each statement execute function refuse_change();
create trigger proposals_no_truncate before truncate on proposals
  for each statement execute function refuse_change();
