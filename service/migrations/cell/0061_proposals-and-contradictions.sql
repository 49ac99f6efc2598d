-- What the operator had contradicted when it was proposed: what came after that the proposer did not know. Null: it was
-- proposed before this was kept.
alter table proposals add column contradictions text[];
