/**
 * What a judge was asked and what it said stands in columns, for a run and for each trial it spoke about. Judges that are
 * owed a word now are asked through leased work; what one of them has said already is not asked again.
 */
export const judgements = /* sql */ `
  alter table eval_runs
    -- Null where no judge was asked.
    add column judge_status text check (judge_status in ('pending', 'completed', 'failed')),
    add column judge_model text,
    add column judge_provider text,
    add column judge_threshold double precision,
    add column judge_error_code text,
    add column judge_summary text,
    add column judge_generated_at timestamptz(3),
    add column judge_cases text;

  create table eval_judgements (
    run_id text not null,
    ordinal integer not null,
    organization_id text not null,
    case_key text not null,
    -- Null where the judge failed.
    score double precision,
    passed boolean not null,
    reason text,
    rubric_hits text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  alter table eval_judgements enable row level security;
  create policy tenant on eval_judgements
    using (organization_id = any ((select visible_organizations())::text[]));

  update eval_runs set judge_status = said->>'status', judge_model = said->>'model', judge_provider = said->>'provider',
    judge_threshold = (said->>'threshold')::double precision, judge_error_code = said->>'errorCode',
    judge_summary = said->>'summary', judge_cases = said->>'cases',
    judge_generated_at = to_timestamp((said->>'generatedAt')::double precision / 1000)
  from (
    select id as run_id, document_of(judges)->'goalCompletion' as said from eval_runs where judges is not null) judged
  where id = run_id and said->>'status' in ('pending', 'completed', 'failed')
    and json_typeof(said->'cases') = 'array' and json_typeof(said->'model') = 'string';

  insert into eval_judgements (run_id, ordinal, organization_id, case_key, score, passed, reason, rubric_hits)
    select run_id, ordinal, organization_id, told->>'caseKey', (told->>'score')::double precision,
      (told->>'passed')::boolean, told->>'reason', told->>'rubricHits'
    from (
      select eval_traces.run_id, ordinal, eval_traces.organization_id, document_of(details)->'judged' as judged,
        document_of(details)->'judged'->'told' as told, document_of(judges)->'goalCompletion'->>'askedAt' as asked_at
      from eval_runs join eval_traces on eval_traces.run_id = eval_runs.id
      where judge_status = 'pending') said
    where judged->>'askedAt' = asked_at and told->>'caseKey' is not null and told->>'passed' is not null and told->>'rubricHits' is not null;

  insert into work_groups (kind, id, organization_id, project_id, at_once)
    select 'eval-judgements', id, organization_id, project_id, 1 from eval_runs where judge_status = 'pending';
  insert into leased_work (kind, group_id, number, organization_id, first_item, last_item)
    select 'eval-judgements', id, number, organization_id, number * 8 - 7, number * 8
    from eval_runs, generate_series(1, greatest(1, ceil(coalesce(expected_iterations, 0) / 8.0)::integer)) as number
    where judge_status = 'pending';

  -- The index on the beginning of the text goes with it.
  alter table eval_runs drop column judges;
`;
