/** Trials that had ended before anybody recorded when. */
import { makeId } from '@proofmark/domain';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { migrations } from './list.ts';
import { migrate } from './migrate.ts';

const version = migrations.findIndex(({ name }) => name === 'ended-trials') + 1;
const here = makeId('evalRun', Date.UTC(2026, 10), new Uint8Array(10));
const reported = makeId('evalRun', Date.UTC(2026, 10), new Uint8Array(10).fill(1));

test('those with something to show end when they say, or with their run, and never later than now', async () => {
  const { url, drop } = await createEmptyDatabase();
  const query = async (statement: string) => {
    const result = await connect(url, (client) => client.query(statement));
    return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
  };
  try {
    await migrate(url, version - 1);
    await query(`set search_path = proofmark;
      insert into organizations (id, name) values ('org_1', 'One');
      insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
      insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'One');
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot, completed_at)
        values ('${here}', 'org_1', 'prj_1', 'ste_1', 1, 'api', 'completed', '{}', '2026-11-02Z'),
          ('${reported}', 'org_1', 'prj_1', 'ste_1', 2, 'sdk', 'completed', '{}', '2026-11-03Z');
      insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status,
          evaluator_error, expected_tool_calls, actual_tool_calls, started_at, duration_ms)
        values ('${here}', 1, 'timed', 'org_1', 1, true, 'completed', false, '[]', '[]', '2026-11-01Z', 1500),
          ('${here}', 2, 'untraced', 'org_1', 2, true, 'cancelled', false, '[]', '[]', null, null),
          ('${here}', 3, 'silent', 'org_1', 3, true, 'completed', false, '[]', '[]', null, null),
          ('${reported}', 1, 'spoken', 'org_1', 1, true, 'completed', false, '[]', '[]', '2999-01-01Z', 1e300),
          ('${reported}', 2, 'empty', 'org_1', 2, true, 'completed', false, '[]', '[]', null, null);
      insert into eval_traces (run_id, ordinal, organization_id, trace, details)
        values ('${here}', 1, 'org_1', '{"traceVersion":1,"messages":[]}', '{}'),
          ('${here}', 2, 'org_1', null, '{}'),
          ('${here}', 3, 'org_1', '{"traceVersion":1,"messages":[]}', '{}'),
          ('${reported}', 1, 'org_1', '{"traceVersion":1,"messages":[{"role":"user"}]}', '{}'),
          ('${reported}', 2, 'org_1', '{"traceVersion":1,"messages":[],"spans":[]}', '{}')`);
    await migrate(url, version);
    const rows = await query(
      `select id, ended_in_project as project_id, to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as ended,
        ended_at <= now() as past from proofmark.eval_iterations order by id`,
    );
    expect(rows).toEqual([
      { id: 'empty', project_id: null, ended: null, past: null },
      { id: 'silent', project_id: 'prj_1', ended: '2026-11-02 00:00:00.000', past: true },
      { id: 'spoken', project_id: 'prj_1', ended: expect.any(String), past: true },
      { id: 'timed', project_id: 'prj_1', ended: '2026-11-01 00:00:01.500', past: true },
      { id: 'untraced', project_id: null, ended: null, past: null },
    ]);
  } finally {
    await drop();
  }
});
