ALTER TABLE "turns" ADD COLUMN "lengths" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "edited_at" timestamp with time zone;