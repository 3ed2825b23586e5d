CREATE EXTENSION IF NOT EXISTS vector;
--> statement-breakpoint
-- What full-text recall compares: a number for each different word of a text in its basic form, the first 128 of them. The
-- result never changes for the same text, and is short enough for an index.
CREATE FUNCTION attune_lexemes(text text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT hashtext(lexeme) FROM unnest(to_tsvector('english'::regconfig, left(text, 50000))) ORDER BY positions[1] LIMIT 128);
