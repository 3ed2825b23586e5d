-- Short vectors stay in their row: an index can hold them then.
ALTER TABLE turns ALTER COLUMN meaning SET STORAGE PLAIN;
--> statement-breakpoint
-- All that a scan for recall reads, with the turns of a person side by side; in the table they are scattered.
CREATE INDEX turns_recall ON turns (workspace_id, person_id, turn_id)
  INCLUDE (asked_at, is_direct, talk, asks, lexemes, embedder, meaning);
--> statement-breakpoint
CREATE INDEX turns_speakers ON turns (workspace_id, person_id, speaker) WHERE speaker IS NOT NULL;
--> statement-breakpoint
-- A scan reads the index alone where the pages of the table were vacuumed since they were written.
ALTER TABLE turns SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
