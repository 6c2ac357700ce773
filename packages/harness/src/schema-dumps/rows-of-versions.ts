/**
 * For each version of the schema, the rows inserted before its dump was taken. They fill every
 * table and column that is new in the version. A dump also contains the migrated rows of earlier
 * versions.
 */
export const rowsOfVersions: Readonly<Record<number, string>> = {
  1: `
    insert into installation (key_fingerprint) values ('fingerprint of no key');
    insert into accounts (id, email, name, password_hash) values
      ('acc_1', 'owner@acme.example', 'Olga', 'no hash'), ('acc_2', 'member@acme.example', 'Mika', null);
    insert into account_identities (issuer, subject, account_id)
      values ('https://issuer.example', 'mika', 'acc_2');
    insert into sessions (token_hash, account_id, expires_at) values ('\\x01', 'acc_1', '2031-01-01Z');
    insert into sign_in_links (token_hash, account_id, expires_at) values ('\\x02', 'acc_2', '2031-01-01Z');
    insert into organizations (id, name, created_by) values ('org_1', 'Acme', 'acc_1');
    insert into memberships (organization_id, account_id, role) values
      ('org_1', 'acc_1', 'owner'), ('org_1', 'acc_2', 'member');
    insert into api_keys (id, hash, start, name, account_id, organization_id, revoked_at) values
      ('key_1', '\\x03', 'sk_1', 'in use', 'acc_1', 'org_1', null),
      ('key_2', '\\x04', 'sk_2', 'revoked', 'acc_2', 'org_1', '2026-01-01Z');
    insert into projects (id, organization_id, name, visibility, is_default, created_by) values
      ('prj_1', 'org_1', 'Default', 'public', true, 'acc_1'), ('prj_2', 'org_1', 'Secret', 'private', false, 'acc_2');
    insert into project_members (organization_id, project_id, account_id, tier)
      values ('org_1', 'prj_2', 'acc_2', 'manage');
    insert into servers (id, organization_id, project_id, name, enabled, transport_type, url, sealed_headers, header_names,
        client_capabilities)
      values ('srv_1', 'org_1', 'prj_1', 'Bookshop', true, 'http', 'https://books.example/mcp', '\\x0506', '{X-Token}',
        '{"sampling": {}}');
    insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'Questions');
    insert into chat_sessions (id, organization_id, project_id, account_id, title, status)
      values ('cht_1', 'org_1', 'prj_1', 'acc_1', 'A talk', 'active');
    update eval_suites set reported_name = 'questions', run_count = 2;
    insert into eval_cases (id, organization_id, suite_id, case_key, content_hash, title, is_negative)
      values ('cse_1', 'org_1', 'ste_1', 'price', 'hash', 'Asks for a price', false);
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, result, snapshot,
        iteration_count, completed_at)
      values ('run_01jd0000000000000000000001', 'org_1', 'prj_1', 'ste_1', 1, 'sdk', 'completed', 'failed',
        '{"terms":{"minimumPassRate":80},"servers":[],"environment":null,"toolSurface":null}', 2, '2026-11-01Z');
    insert into eval_iterations (run_id, ordinal, id, organization_id, case_id, title, iteration_number, numbered, status,
        result, evaluator_error, expected_tool_calls, actual_tool_calls, scores, config_hash)
      values ('run_01jd0000000000000000000001', 1, 'itr_1', 'org_1', 'cse_1', 'Asks for a price', 1, true, 'completed',
          'passed', false, '[]', '[{"toolName":"price","arguments":{}}]', '[]', 'config'),
        ('run_01jd0000000000000000000001', 2, 'itr_2', 'org_1', 'cse_1', 'Asks for a price', 2, true, 'completed',
          'failed', false, '[]', '[]', null, null);
    insert into evaluation_configs (organization_id, hash, config) values ('org_1', 'config', '{"scorers":[]}');
    insert into run_evaluation_configs (organization_id, run_id, hash)
      values ('org_1', 'run_01jd0000000000000000000001', 'config');
    insert into eval_traces (run_id, ordinal, organization_id, trace, details)
      values ('run_01jd0000000000000000000001', 1, 'org_1', '{"messages":[]}', '{}');
    insert into gate_waivers (id, organization_id, suite_id, run_id, reason, expires_at, created_by, created_by_email)
      values ('wvr_1', 'org_1', 'ste_1', 'run_01jd0000000000000000000001', 'Known outage', '2031-01-01Z', 'acc_1',
        'owner@acme.example');
    insert into artifacts (id, organization_id, project_id, format, content_type, size_bytes, content, expires_at, uploaded_at)
      values ('art_1', 'org_1', 'prj_1', 'junit-xml', 'application/xml', 3, '\\x070809', '2031-01-01Z', '2026-11-01Z');
    insert into audit_log (organization_id, project_id, account_id, account_email, caller_kind, action, subject_id)
      values ('org_1', 'prj_1', 'acc_1', 'owner@acme.example', 'session', 'server.created', 'srv_1');
    insert into oauth_grants (server_id, organization_id, project_id, import_id, origin, issuer, sealed_tokens)
      values ('srv_1', 'org_1', 'prj_1', 'imp_1', 'https://books.example', 'https://issuer.example', '\\x0a');
    insert into client_configs (organization_id, id, config, model_id, server_count, has_computer)
      values ('org_1', 'cfg_1', '{"model":"proofmark/lexical-1"}', 'proofmark/lexical-1', 1, false);
    insert into clients (id, organization_id, project_id, name, comparable_name, config_id)
      values ('cli_1', 'org_1', 'prj_1', 'Desk', 'desk', 'cfg_1');
    insert into server_attachments (id, organization_id, project_id, name, comparable_name, server_ids)
      values ('att_1', 'org_1', 'prj_1', 'Shops', 'shops', '{srv_1}');
    insert into skills (id, organization_id, project_id, name, comparable_name)
      values ('skl_1', 'org_1', 'prj_1', 'Politeness', 'politeness');
    insert into skill_versions (id, organization_id, skill_id, number, content, content_hash)
      values ('skv_1', 'org_1', 'skl_1', 1, 'Say please.', 'hash');
    insert into plugins (id, organization_id, project_id, name, comparable_name, active_version_id)
      values ('plg_1', 'org_1', 'prj_1', 'Manners', 'manners', 'plv_1');
    insert into plugin_versions (id, organization_id, plugin_id, number, content, bundle_hash)
      values ('plv_1', 'org_1', 'plg_1', 1, '{"servers":[],"skills":[]}', 'hash');
    insert into environments (id, organization_id, project_id, name, comparable_name, host_id, server_attachment_id,
        skill_ids, plugin_version_ids, revision)
      values ('env_1', 'org_1', 'prj_1', 'Staging', 'staging', 'cli_1', 'att_1', '{skl_1}', '{plv_1}', 1);
    update installation set sample = 'null';
    update eval_suites set definition = '{}', server_ids = '{srv_1}', environment_ids = '{env_1}', tags = '{books}',
      created_by = 'acc_1', schedule_enabled = true, schedule_interval_minutes = 60, schedule_next_at = '2031-01-01Z';
    update eval_iterations set tool_surface_hash = 'surface';
    insert into tool_surfaces (organization_id, hash, surface) values ('org_1', 'surface', '[]');
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot,
        expected_iterations, iteration_count, deadline_at, idempotency_key, request_hash)
      values ('run_01jd0000000000000000000002', 'org_1', 'prj_1', 'ste_1', 2, 'api', 'running', '{"servers":[]}', 2, 2,
        '2031-01-01Z', 'a key', 'hash');
    insert into work_groups (kind, id, organization_id, project_id, at_once) values
      ('eval-trials', 'run_01jd0000000000000000000002', 'org_1', 'prj_1', 2),
      ('eval-judgements', 'run_01jd0000000000000000000002', 'org_1', 'prj_1', 1);
    insert into leased_work (kind, group_id, number, organization_id, first_item, last_item, status, lease, leased_until) values
      ('eval-trials', 'run_01jd0000000000000000000002', 1, 'org_1', 1, 1, 'leased', 3, '2026-11-01Z'),
      ('eval-trials', 'run_01jd0000000000000000000002', 2, 'org_1', 2, 2, 'open', 0, null),
      ('eval-judgements', 'run_01jd0000000000000000000002', 1, 'org_1', 1, 8, 'open', 0, null);
    insert into run_tool_surfaces (organization_id, run_id, hash)
      values ('org_1', 'run_01jd0000000000000000000001', 'surface');
    insert into eval_iterations (run_id, ordinal, id, organization_id, title, iteration_number, numbered, status,
        evaluator_error, expected_tool_calls, actual_tool_calls)
      select 'run_01jd0000000000000000000002', number, 'itr_open_' || number, 'org_1', 'Open', number, true, 'pending',
        false, '[]', '[]' from generate_series(1, 2) number;
    insert into eval_run_plans (run_id, organization_id, plan, sealed_keys)
      values ('run_01jd0000000000000000000002', 'org_1', '{}', '\\x0b');
    insert into idempotent_answers (organization_id, operation, key, request_hash, answer)
      values ('org_1', 'createEvalSuite', 'a key', 'hash', '{}');
    update eval_runs set case_titles = '{"price":"Asks for a price"}' where run_number = 1;
    update eval_run_plans set sealed_servers = '\\x0c';
    update eval_runs set artifact_id = 'art_1' where run_number = 1;
    update eval_iterations set has_trace = ordinal = 1 where run_id = 'run_01jd0000000000000000000001';
    insert into listed_tools (organization_id, server_id, tools, by_trial) values ('org_1', 'srv_1', '["price"]', true);
    update eval_runs set asserts_nothing = '{"caseVariants":0,"titles":[]}' where run_number = 2;
    update eval_suites set schedule_attempted_at = '2026-11-01Z', schedule_error_code = 'RATE_LIMITED',
      schedule_error_message = 'Too many runs.';
    update eval_runs set judge_status = 'completed', judge_model = 'm', judge_threshold = 0.7, judge_cases = '[]',
      judge_generated_at = '2026-11-01Z' where run_number = 1;
    insert into eval_judgements (run_id, ordinal, organization_id, case_key, score, passed, reason, rubric_hits)
      values ('run_01jd0000000000000000000001', 1, 'org_1', 'price', 0.9, true, 'It said the price.', '[]');
    insert into keys_revoked_before_restore (hash) values ('\\x04');
    update accounts set disabled_at = '2026-11-02Z', disabled_by = 'admin' where id = 'acc_2';
    update api_keys set scope = 'run-only', expires_at = '2031-01-01Z', last_used_at = '2026-11-02Z' where id = 'key_1';
    insert into invitations (id, token_hash, organization_id, email, role, invited_by, expires_at)
      values ('inv_1', '\\x07', 'org_1', 'new@acme.example', 'member', 'acc_1', '2031-01-01Z');
    insert into audit_log (organization_id, account_id, account_email, caller_kind, action, subject_id, details)
      values (null, null, 'operator', 'operator', 'account.linkCreated', 'acc_1', null);
    update servers set sealed_addresses = '\\x0d', url = null where id = 'srv_1';
    update installation set sealing_key_id = '\\x0e', sealed_lasting_secrets = '\\x0f';
    insert into key_changes (old_fingerprint, new_fingerprint, sealed_new_key, sealed_old_key)
      values ('old', 'new', '\\x10', '\\x11');
    insert into worker_beats (id, host, process_id, version, trials_at_once) values ('wrk_1', 'host', 1, '0.1.0', 8);
    insert into organization_quotas (organization_id, name, allowed) values
      ('org_1', 'trialsPerDay', 500), ('org_1', 'storedBytes', null);
    insert into daily_counters (organization_id, day, counter, used)
      values ('org_1', '2026-11-02', 'trialsPerDay', 2);
    insert into run_sizes (run_id, organization_id, revision, trials, traces, bytes, trace_bytes)
      values ('run_01jd0000000000000000000001', 'org_1', 1, 2, 1, 1500, 400);
    insert into organization_sizes (organization_id, bytes, counted_at) values ('org_1', 1500, '2026-11-02Z');
    insert into organization_retention (organization_id, kind, days, count) values ('org_1', 'runs', 90, 50);
    update eval_runs set traces_removed_at = '2026-11-03Z' where run_number = 2;
    insert into model_providers (id, organization_id, name, kind, sealed_access, models, requests_at_once)
      values ('mdp_1', 'org_1', 'acme', 'openai-compatible', '\\x010e', '[{"name":"large"}]', 4),
        ('mdp_2', null, 'openai', 'openai', '\\x010e', '[]', null);
    update eval_run_plans set sealed_providers = '\\x010e';
    update installation set for_one_person = true;
    insert into daily_counters (organization_id, day, counter, used, reserved) values
      ('org_1', '2026-11-01', 'insightsPerDay', 2, 0), ('org_1', '2026-11-01', 'credits', 1.25, 0.5);
    insert into ledger (organization_id, project_id, day, kind, model, input_tokens, output_tokens, credits, priced, ref, step)
      values ('org_1', 'prj_1', '2026-11-01', 'trial_step', 'm', 10, 5, 1.25, true, 'itr_1', 'm');
    insert into credit_reservations (kind, ref, step, organization_id, project_id, day, model, credits)
      values ('insights', 'run_1', '1', 'org_1', 'prj_1', '2026-11-01', 'm', 0.5);

    update chat_sessions set visibility = 'project';
    update eval_iterations set ended_in_project = 'prj_1', ended_at = '2026-11-01Z' where ordinal = 1;
    insert into insights (kind, scope_id, organization_id, project_id, status, generation, model_used)
      values ('eval_run', 'run_01jd0000000000000000000001', 'org_1', 'prj_1', 'failed', 1, 'm');
    insert into limit_shares (target, holder, places, wanted, leased_until)
      values ('server srv_1', 'wrk_1', 4, 2, '2026-11-03Z');
    insert into eval_run_groups (id, organization_id, project_id, suite_id, idempotency_key, request_hash)
      select 'group', organization_id, project_id, id, 'key', 'hash' from eval_suites order by id limit 1;
    update eval_runs set slot_group_id = 'group' where run_number = 2;
    update credit_reservations set is_waiting = true;
    insert into personas (id, organization_id, project_id, slug, name, role)
      values ('per_1', 'org_1', 'prj_1', 'ada', 'Ada', 'Visitor');
    insert into swarms (id, organization_id, project_id, name, environment_ids, sessions_per_target, max_turns)
      values ('swm_1', 'org_1', 'prj_1', 'Checkout', '{}', 2, 4);
    insert into journeys (id, organization_id, project_id, name, goal, persona_id, swarm_id, environment_ids, host_ids,
        sessions_per_target, max_turns, rubric)
      values ('jny_1', 'org_1', 'prj_1', 'Buy', 'Buy a lamp', 'per_1', 'swm_1', '{}', '{}', 2, 4, '[]');
    insert into journey_runs (id, organization_id, project_id, journey_id, wave_id, status, total, succeeded, journey_name,
        persona_id, persona_name, persona_role, persona_model, has_rubric, targets, source, requested_by, deadline_at)
      values ('jrn_1', 'org_1', 'prj_1', 'jny_1', 'wav_1', 'completed', 1, 1, 'Buy', 'per_1', 'Ada', 'Visitor',
        'proofmark/scripted-user-1', false, '[]', 'api', 'acc_1', '2026-11-04Z');
    insert into journey_run_snapshots (run_id, organization_id, snapshot, sealed_servers, sealed_providers)
      values ('jrn_1', 'org_1', '{"snapshotVersion":1,"targets":[]}', '\\x010e', '\\x010e');
    insert into journey_attempts (run_id, ordinal, organization_id, target_id, session_index, status, begun, session_id)
      values ('jrn_1', 0, 'org_1', 'host:cli_1', 0, 'succeeded', 1, 'cht_2');
    insert into swarm_sessions (id, organization_id, project_id, run_id, ordinal, journey_id, chat_session_id, target_id,
        host_id, session_index, persona_id, persona_label, persona_model, model_id, outcome, end_reason)
      values ('cht_2', 'org_1', 'prj_1', 'jrn_1', 0, 'jny_1', 'synth_jrn_1_00000000_0', 'host:cli_1', 'cli_1', 0, 'per_1',
        'Ada', 'proofmark/scripted-user-1', 'proofmark/lexical-1', 'succeeded', 'personaEnded');
    insert into swarm_traces (session_id, organization_id, trace) values ('cht_2', 'org_1', '{"messages":[]}');
    insert into waves (project_id, id, organization_id, mined_at, result)
      values ('prj_1', 'wav_1', 'org_1', '2026-11-05Z', '{"counted":[]}');
    insert into findings (project_id, fingerprint, organization_id, id, dimension, subject_kind, subject_id, subject_label,
        status, occurrence_count, first_seen_at, last_seen_at, last_seen_wave_id, title, journey_ids, next_action, evidence)
      values ('prj_1', 'tool_errors:tool:x', 'org_1', 'fnd_1', 'tool_errors', 'tool', 'x', 'x', 'new', 1, '2026-11-05Z',
        '2026-11-05Z', 'wav_1', 'A tool answers with errors: x', '[]', 'Look.', '{}');
    insert into journey_run_tool_surfaces (organization_id, run_id, hash) values ('org_1', 'jrn_1', 'hash');
    update journey_runs set rubric = '[{"id":"crt_1"}]', traces_removed_at = '2026-11-06Z';
    update journey_attempts set begun_by_lease = 7;
    insert into journey_run_sizes (run_id, organization_id, revision, counted_at, sessions, traces, bytes, trace_bytes)
      values ('jrn_1', 'org_1', 1, '2026-11-06Z', 1, 1, 900, 300);
    insert into scenarios (id, organization_id, project_id, environment_id, name, mode, token_hash, sealed_token,
        guest_execution, created_by)
      values ('scn_1', 'org_1', 'prj_1', 'env_1', 'Bookshop', 'invited_only', '\\x12', '\\x010e', '{"enabled":false}', 'acc_1');
    insert into scenario_members (id, organization_id, project_id, scenario_id, email, visitor_id, invited_by, accepted_at)
      values ('mem_1', 'org_1', 'prj_1', 'scn_1', 'guest@visitors.example', 'vis_1', 'acc_1', '2026-11-06Z');
    insert into scenario_grants (id, organization_id, project_id, scenario_id, visitor_id, member_id)
      values ('sgr_1', 'org_1', 'prj_1', 'scn_1', 'vis_1', 'mem_1');
    insert into visitors (id, cookie_hash) values ('vis_1', '\\x13');
    insert into visitor_sessions (id, organization_id, project_id, scenario_id, environment_id, visitor_id, member_id,
        grant_id, auth_type, recency, display_name, visitor_hash, consent_version, consented_at, message_count)
      values ('cht_3', 'org_1', 'prj_1', 'scn_1', 'env_1', 'vis_1', 'mem_1', 'sgr_1', 'guest', 'new', 'Guest 00ff', '00ff',
        '1-90', '2026-11-06Z', 2);
    insert into visitor_turns (id, organization_id, project_id, scenario_id, session_id, ordinal, client_turn_id,
        is_anonymous, status, text, environment_id, model_id, completed_at, messages)
      values ('trn_1', 'org_1', 'prj_1', 'scn_1', 'cht_3', 0, 'one', false, 'completed', 'Where is my order?', 'env_1',
        'proofmark/lexical-1', '2026-11-06Z', '[{"role":"user","text":"Where is my order?","createdAt":1}]');
    insert into visitor_traces (turn_id, organization_id, trace) values ('trn_1', 'org_1', '{"messages":[]}');
    insert into visitor_approvals (id, organization_id, turn_id, call_id, tool_name, server_name, arguments, arguments_hash,
        definition_hash, expires_at, decision)
      values ('apv_1', 'org_1', 'trn_1', 'call_1', 'order_status', 'Orders', '{}', 'hash', 'hash', '2026-11-06Z', 'approve');
    insert into visitor_feedback (organization_id, session_id, turn_id, rating) values
      ('org_1', 'cht_3', 'trn_1', 5), ('org_1', 'cht_3', null, 4);
    insert into scenario_windows (id, organization_id, project_id, scenario_id, window_start_at, window_end_at, input_hash,
        result)
      values ('win_1', 'org_1', 'prj_1', 'scn_1', '2026-10-30Z', '2026-11-06Z', 'hash', '{}');
    insert into scenario_findings (scenario_id, fingerprint, organization_id, project_id, id, detector, subject_kind,
        subject_id, subject_label, status, occurrence_count, first_seen_at, last_seen_at, last_seen_window_id, title,
        next_action, evidence, counted_session_ids)
      values ('scn_1', 'tool_errors:tool:x', 'org_1', 'prj_1', 'fnd_2', 'tool_errors', 'tool', 'x', 'x', 'new', 1,
        '2026-11-06Z', '2026-11-06Z', 'win_1', 'A tool answers with errors: x', 'Look.', '{}', '["cht_3"]');
    update projects set sealed_scorer_secret = '\\x010e', scorer_secret_made_at = '2026-11-06Z' where id = 'prj_1';
    insert into run_credits (run_id, organization_id, max_credits, used, reserved)
      values ('run_01jd0000000000000000000002', 'org_1', 5, 1, 2);
    update eval_runs set stop_reason = 'maxCredits' where run_number = 2;
    update eval_iterations set warnings = '[{"path":"after","code":"AFTER_FAILED","message":"It said no."}]'
      where id = 'itr_1';
    insert into owed_teardowns (run_id, ordinal, organization_id, project_id, lease)
      values ('run_01jd0000000000000000000002', 1, 'org_1', 'prj_1', 1);
    update eval_cases set data_rows = '[{"name":"tea"}]';
    update eval_runs set judge_groundedness = '{}', judge_votes = '{}' where run_number = 1;
    update eval_judgements set groundedness = '{}';
    update chat_sessions set target_kind = 'server', target_id = 'srv_1', model_id = 'proofmark/lexical-1', message_count = 2
      where id = 'cht_1';
    insert into chat_turns (id, organization_id, session_id, ordinal, message_id, lane, status, text, model_id, completed_at)
      values ('ctn_1', 'org_1', 'cht_1', 0, 'one', 0, 'completed', 'Hello', 'proofmark/lexical-1', '2026-11-17Z');
    update servers set health_status = 'partial', health_failed_check = 'tools', health_checked_at = '2026-11-17Z';
    insert into eval_widgets (run_id, ordinal, organization_id, observations)
      values ('run_01jd0000000000000000000002', 1, 'org_1', '[]');
    insert into eval_widget_pictures (run_id, sha256, organization_id, png)
      values ('run_01jd0000000000000000000002', 'hash', 'org_1', '\\x89504e47');
    insert into recordings (organization_id, hash, content, last_named_at) values ('org_1', 'hash', '\\x78', '2026-11-17Z');
    insert into trial_recordings (organization_id, run_id, ordinal, hash, durations)
      values ('org_1', 'run_01jd0000000000000000000002', 1, 'hash', '[12]');
    update eval_iterations set recording_state = 'kept', recording_bytes = 2, recording_hash = 'hash',
        divergence = '{}', replay_state = 'diverged' where id = 'itr_1';
    update eval_runs set replay = '{}' where run_number = 2;
    insert into suite_mutations (id, organization_id, project_id, suite_id, status, request, estimate, plan, mutant_count,
        created_at, completed_at)
      select 'mut_1', organization_id, project_id, id, 'completed', '{"seed":1}', '{"mutants":1}', '{}', 1, '2026-11-17Z',
        '2026-11-17Z'
      from eval_suites order by id limit 1;
    insert into mutation_parts (mutation_id, organization_id, kind, number, outcome)
      values ('mut_1', 'org_1', 'base', 0, '{"caseId":"cas_1","title":"One","model":null}');
    update eval_iterations set refused_calls = '[{"serverName":"Orders","toolName":"create_order","by":"allowWrites"}]'
      where id = 'itr_1';
    update servers set max_message_mib = 8;
    update journeys set allow_writes = '["create_order"]';
    update swarm_sessions set refused_calls = '[{"serverName":"Orders","toolName":"create_order","by":"allowWrites"}]';`,
  2: `
    update eval_runs set is_sample = true where run_number = 2;
    update journey_runs set is_sample = true;
    update visitor_feedback set scale = 'stars' where turn_id is null;
  `,
  3: `
    insert into graded_results (run_id, number, organization_id, suite_id, case_id, model, provider, content_hash,
        tool_surface_hash, results, ended_at)
      select id, 1, organization_id, suite_id, 'cas_1', 'proofmark/lexical-1', null, 'hash', 'hash', '10', '2026-11-19Z'
      from eval_runs where run_number = 1;
  `,
  4: `
    insert into quarantine_entries (id, organization_id, suite_id, case_ref, model, owner, reason, expires_at, position, source,
        created_by, created_by_email, removed_by, removed_at)
      values
        ('qrn_1', 'org_1', 'ste_1', 'price', null, 'Mika', 'Races with the cache', '2031-01-01Z', 1, 'file', 'acc_1',
          'owner@acme.example', null, null),
        ('qrn_2', 'org_1', 'ste_1', 'cse_1', 'proofmark/lexical-1', 'Olga', 'Slow', '2031-01-01Z', 0, 'api', 'acc_1',
          'owner@acme.example', 'acc_2', '2026-11-19Z');
  `,
  6: `
    insert into eval_suites (id, organization_id, project_id, name, schedule_enabled, schedule_calendar, schedule_next_at)
      values ('ste_daily', 'org_1', 'prj_1', 'Every morning', true,
        '{"kind":"daily","time":"06:30","timeZone":"Europe/Berlin"}', '2031-01-01T05:30Z');
  `,
};
