import { inDatabase } from './in-database.ts';

export async function multiplyTrials(url: string, runId: string, many: number): Promise<void> {
  await inDatabase(url, async (client) => {
    const { rows } = await client.query(`
      select column_name as name from information_schema.columns
      where table_schema = 'proofmark' and table_name = 'eval_iterations'
        and is_generated = 'NEVER'`);
    const changed: Readonly<Record<string, string>> = {
      ordinal: 'ordinal + number * known',
      id: `id || '_' || number`,
      external_id: 'null',
      iteration_number: 'iteration_number + number',
      has_trace: 'null',
      ended_in_project: 'null',
    };
    const names = rows.map(({ name }: { name: string }) => name);
    await client.query(`
      insert into eval_iterations (${names.join()})
      select ${names.map((name) => changed[name] ?? name).join()}
      from (select count(*)::integer as known from eval_iterations where run_id = '${runId}') counted,
        eval_iterations, generate_series(1, ${many} / known) number
      where run_id = '${runId}' and ordinal + number * known <= ${many}`);
    await client.query(`update eval_runs set iteration_count = ${many} where id = '${runId}'`);
    await client.query('analyze eval_iterations');
  });
}
