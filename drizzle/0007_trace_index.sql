-- All that a scan for recall reads, with the turns of a person side by side; in the table they are scattered.
DROP INDEX IF EXISTS turns_recall;
--> statement-breakpoint
CREATE INDEX turns_recall ON turns (workspace_id, person_id, turn_id) INCLUDE (is_direct, talk, trace, embedder, meaning);
