-- What recall reads of a turn, in as few bytes as it can: its id (8), the minute it was said in (4), its conversation (2),
-- twice the number of different words and 1 if something is asked (2), and a hash of each word (4).
CREATE FUNCTION attune_trace(turn_id bigint, asked_at timestamptz, conversation text, question text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT int8send(turn_id) || int4send((date_part('epoch', asked_at)::bigint / 60)::integer)
    || int2send((hashtext(conversation) & 4095)::smallint)
    || int2send((2 * cardinality(words) + (position('?' IN question) > 0)::integer)::smallint)
    || COALESCE((SELECT string_agg(int4send(word), ''::bytea) FROM unnest(words) AS word), ''::bytea)
  FROM attune_lexemes(question) AS words);
