/** A suite with 1,000 runs: one that was played, and copies of it with results of their own. */
import { randomBytes } from 'node:crypto';
import { embeddedUrl, inDatabase } from '@proofmark/harness/journeys/in-database.ts';
import { makeId } from '../../packages/domain/src/index.ts';

/** Copies a run until its suite has so many, with their histories. */
export async function copyRun(dataDir: string, runId: string, runs: number): Promise<void> {
  const ids = Array.from({ length: runs - 1 }, () =>
    makeId('evalRun', Date.now(), randomBytes(10)),
  );
  await inDatabase(embeddedUrl(dataDir), async (client) => {
    const copied = (statement: string) => client.query(statement, [runId, ids]);
    await client.query('update eval_runs set run_number = $2 where id = $1', [runId, runs]);
    await copied(`
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot, iteration_count)
      select made.id, organization_id, project_id, suite_id, place, 'api', 'completed', snapshot, iteration_count
      from eval_runs, unnest($2::text[]) with ordinality as made (id, place) where eval_runs.id = $1`);
    await copied(`
      insert into run_tool_surfaces (organization_id, run_id, hash)
      select organization_id, made.id, hash from run_tool_surfaces, unnest($2::text[]) as made (id) where run_id = $1`);
    await copied(`
      insert into eval_iterations (run_id, ordinal, id, organization_id, case_id, title, iteration_number, numbered, status,
        result, evaluator_error, model, provider, expected_tool_calls, actual_tool_calls, chain, tool_surface_hash)
      select made.id, ordinal, eval_iterations.id || place, organization_id, case_id, title, iteration_number, true, status,
        result, false, model, provider, '[]', '[]', chain, tool_surface_hash
      from eval_iterations, unnest($2::text[]) with ordinality as made (id, place) where run_id = $1`);
    await copied(
      `
      insert into graded_runs (run_id, organization_id, suite_id, variants, variants_hash, variant_count, results, ended_at)
      select made.id, organization_id, suite_id, variants, variants_hash, variant_count, results,
        ended_at - make_interval(secs => $3 - place)
      from graded_runs, unnest($2::text[]) with ordinality as made (id, place) where run_id = $1`.replace(
        '$3',
        String(runs),
      ),
    );
    await client.query('analyze');
  });
}

/** Removes the histories of all other runs, so that statistics read what they read before there were any. */
export async function forgetHistories(dataDir: string, runId: string): Promise<void> {
  await inDatabase(embeddedUrl(dataDir), async (client) => {
    await client.query('delete from graded_runs where run_id <> $1', [runId]);
    await client.query('analyze');
  });
}
