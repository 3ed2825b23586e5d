ALTER TABLE "turns" ADD COLUMN "trace" "bytea" GENERATED ALWAYS AS (attune_trace(turn_id, asked_at, conversation, question)) STORED;--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "lexemes";--> statement-breakpoint
ALTER TABLE "turns" DROP COLUMN "asks";