-- Before a month of events is dropped: for each tenant what it holds, as a link of the tenant's tombstones. Links of one chain that follow
-- each other are one range; a chain may have several, when its events lie in other months in between.
CREATE OR REPLACE FUNCTION holdfast.leave_tombstones(of_branch text, leaf text, of_month date, kept_days integer, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  stone holdfast.audit_tombstone;
  ranges bytea;
BEGIN
  -- Nobody may add to it any more.
  EXECUTE format('LOCK TABLE holdfast.%I IN ACCESS EXCLUSIVE MODE', leaf);
  FOR stone.tenant, stone.events IN EXECUTE format('SELECT tenant, count(*) FROM holdfast.%I GROUP BY tenant ORDER BY tenant', leaf) LOOP
    SELECT t.seq, t.hash INTO stone.seq, stone.prev_hash FROM holdfast.audit_tombstone t
      WHERE t.tenant = stone.tenant ORDER BY t.seq DESC LIMIT 1;
    stone.seq := coalesce(stone.seq, 0) + 1;
    stone.prev_hash := coalesce(stone.prev_hash, '');
    IF of_branch = 'workflow_event_chained' THEN
      EXECUTE format(
        'INSERT INTO holdfast.audit_tombstone_range (tenant, seq, object_kind, object_id, first_seq, last_seq, prev_hash, last_hash) '
        'SELECT tenant, $1, object_kind, object_id, min(seq), max(seq), '
        '       (array_agg(prev_hash ORDER BY seq))[1], (array_agg(hash ORDER BY seq DESC))[1] '
        'FROM (SELECT *, seq - row_number() OVER (PARTITION BY object_kind, object_id ORDER BY seq) AS island '
        '      FROM holdfast.%I WHERE tenant = $2) e GROUP BY tenant, object_kind, object_id, island', leaf)
        USING stone.seq, stone.tenant;
    END IF;
    SELECT count(DISTINCT (r.object_kind, r.object_id)), coalesce(string_agg(
        holdfast.measured(r.object_kind) || holdfast.measured(r.object_id::text) || holdfast.measured(r.first_seq::text)
        || holdfast.measured(r.last_seq::text) || holdfast.measured(encode(r.prev_hash, 'hex'))
        || holdfast.measured(encode(r.last_hash, 'hex')), ''::bytea ORDER BY r.object_kind, r.object_id, r.first_seq), '')
      INTO stone.chains, ranges FROM holdfast.audit_tombstone_range r WHERE r.tenant = stone.tenant AND r.seq = stone.seq;
    INSERT INTO holdfast.audit_tombstone
      (tenant, seq, branch, month, days, chains, events, dropped_at, dropped_by, prev_hash, hash)
      VALUES (stone.tenant, stone.seq, of_branch, of_month, kept_days, stone.chains, stone.events, at, session_user, stone.prev_hash, sha256(
        stone.prev_hash
        || holdfast.measured(stone.tenant::text)
        || holdfast.measured(stone.seq::text)
        || holdfast.measured(of_branch)
        || holdfast.measured(to_char(of_month, 'YYYY-MM-DD'))
        || holdfast.measured(kept_days::text)
        || holdfast.measured(stone.chains::text)
        || holdfast.measured(stone.events::text)
        || holdfast.measured((extract(epoch FROM at) * 1000000)::bigint::text)
        || holdfast.measured(session_user::text)
        || ranges));
  END LOOP;
END
$$;
