/**
 * Measures ingestion of reported trials in batches of 200. Each batch is checked, processed and
 * committed before the response. The baseline is a program that inserts the same rows in committed
 * batches of 200.
 */

import { openDatabase, type Sql } from '../packages/server/src/platform/database/database.ts';
import {
  readConnectionRecord,
  urlOf,
} from '../packages/server/src/platform/embedded/connection-file.ts';
import { createVault } from '../packages/server/src/platform/vault/vault.ts';
import { startService } from './processes.ts';
import { prepareReport } from './reported-trials.ts';

const clients = Number(process.env['C'] ?? 4);
const trialsPerClient = Number(process.env['BENCH_TRIALS'] ?? 10_000);
const batch = 200;
const rounds = 4;

type Rows = { iterations: object[]; traces: object[] };

const service = await startService();
const record = readConnectionRecord(service.folder);
if (record === undefined) throw new Error('The service has no embedded database.');
const database = openDatabase({
  url: urlOf(record),
  vault: createVault(Buffer.alloc(32)),
  as: 'owner',
  maxConnections: clients,
});
try {
  const rates = { raw: [] as number[], own: [] as number[] };
  let runIds: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const reports = each((client) =>
      prepareReport(service, {
        name: `ingest-${round}-${client}`,
        trials: trialsPerClient,
        cases: 100,
      }),
    );
    rates.own.push(
      await perSecond(async () => {
        runIds = await Promise.all(reports.map((report) => report()));
      }),
    );
    const rows = await Promise.all(runIds.map(takeOut));
    rates.raw.push(await perSecond(() => Promise.all(rows.map(putBack))));
  }
  const [raw, own] = [Math.max(...rates.raw), Math.max(...rates.own)];
  console.log(
    [
      `${clients} clients, ${trialsPerClient} trials each with a trace, batches of ${batch}, best of ${rounds}, Node ${process.version}`,
      `raw inserts      ${raw.toFixed(0).padStart(7)} trials/s`,
      `Proofmark        ${own.toFixed(0).padStart(7)} trials/s`,
      `ratio            ${(own / raw).toFixed(2)} of the raw rate`,
    ].join('\n'),
  );
} finally {
  await database.close();
  await service.stop();
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (clients * trialsPerClient * 1000) / (performance.now() - startedAt);
}

/**
 * Deletes the rows of a run and returns them. Inserting them again then repeats the work of the
 * first insertion.
 */
async function takeOut(runId: string): Promise<Rows> {
  const read = (table: string) =>
    database.transaction(
      (sql) =>
        sql.written<{ row: object }[]>(
          `with gone as (delete from ${table} where run_id = $1 returning *)
       select row_to_json(gone) as row from gone`,
          [runId],
        ),
      'slow',
    );
  const [iterations, traces] = await Promise.all([read('eval_iterations'), read('eval_traces')]);
  return { iterations: iterations.map(({ row }) => row), traces: traces.map(({ row }) => row) };
}

async function putBack({ iterations, traces }: Rows): Promise<void> {
  for (let start = 0; start < iterations.length; start += batch) {
    await database.transaction((sql) =>
      Promise.all([
        insert(sql, 'eval_iterations', iterations.slice(start, start + batch)),
        insert(sql, 'eval_traces', traces.slice(start, start + batch)),
      ]),
    );
  }
}

function insert(sql: Sql, table: string, rows: readonly object[]) {
  return sql.written(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1::text::json)`,
    [JSON.stringify(rows)],
  );
}

function each<Result>(make: (client: number) => Result): Result[] {
  return Array.from({ length: clients }, (_, client) => make(client));
}
