/**
 * Compares our leased work with the library graphile-worker: throughput, CPU, and the time until
 * the job of a killed process is recovered.
 */
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { openDatabase } from '../packages/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/platform/embedded/embedded-postgres.ts';
import { migrateQueue } from '../packages/server/src/platform/jobs/start-queue.ts';
import { migrate } from '../packages/server/src/platform/migrations/migrate.ts';
import { prepareServiceRole } from '../packages/server/src/platform/migrations/service-role.ts';
import { createVault } from '../packages/server/src/platform/vault/vault.ts';
import { addWork } from '../packages/server/src/platform/work/store/leased-work.ts';
import { addOrganizations } from './capacity/measure-claims.ts';
import { heading, line } from './capacity/tables.ts';
import { type Contender, measureRecovery, measureThroughput } from './leased-work/contender.ts';

const jobs = Number(process.env['BENCH_JOBS'] ?? 2400);
const groups = 12;
const longestWait = 20;

const ours: Contender = {
  name: 'leased work',
  script: beside('./leased-work/leased.child.ts'),
  parameters: [],
  async add(owner, count) {
    const rows = Math.ceil(count / groups);
    await owner.transaction(async (sql) => {
      for (let group = 0; group < Math.min(groups, count); group += 1) {
        const id = `capacity-${Math.floor(group / 2) + 1}`;
        const ranges = Array.from({ length: rows }, (_, item) => ({
          firstItem: item,
          lastItem: item,
        }));
        const place = { organizationId: id, projectId: id };
        await addWork(sql, { kind: 'bench', id: `group-${group}`, ...place, atOnce: 8 }, ranges);
      }
    });
  },
  countLeft: async ({ sql }) =>
    (await sql`select from leased_work where kind = 'bench' and status <> 'done'`).count,
};
const graphile = (name: string, ahead: number): Contender => ({
  name,
  script: beside('./leased-work/graphile.child.ts'),
  parameters: [String(ahead)],
  async add({ sql }, count) {
    await sql`select graphile_worker.add_job('bench') from generate_series(1, ${count})`;
  },
  countLeft: async ({ sql }) => (await sql`select from graphile_worker._private_jobs`).count,
});
const contenders = [
  ours,
  graphile('graphile-worker', 0),
  graphile('graphile-worker, 50 jobs taken ahead', 50),
];

const directory = temporaryDirectory(0o755);
const postgres = await startEmbeddedPostgres({ dataDir: `${directory.path}/database` });
const { url } = postgres;
try {
  await migrate(url);
  await migrateQueue(url);
  const owner = openDatabase({ url, vault: createVault(Buffer.alloc(32)), as: 'owner' });
  await addOrganizations({ owner }, groups / 2);
  const serviceUrl = await prepareServiceRole(url, { password: 'of-the-service' });
  const place = { url: serviceUrl, cluster: postgres.dataDir, owner };
  const lines: string[] = [];
  for (const contender of contenders) {
    for (const processes of [1, 2]) {
      const { perSecond, ownCpu, postgresCpu } = await measureThroughput(
        ...([place, contender, jobs, processes] as const),
      );
      lines.push(
        line(contender.name, [
          String(processes),
          perSecond.toFixed(0),
          `${(ownCpu * 1e6).toFixed(0)} µs`,
          `${(postgresCpu * 1e6).toFixed(0)} µs`,
        ]),
      );
    }
    const seconds = await measureRecovery(place, contender, longestWait);
    const waited =
      seconds === undefined ? `not within ${longestWait} s` : `${seconds.toFixed(1)} s`;
    lines.push(`| ${contender.name} | the job of a killed process is done after | ${waited} | | |`);
    await owner.sql`delete from work_groups where kind = 'bench'`;
    await owner.sql`delete from graphile_worker._private_jobs`;
  }
  const names = ['What', 'Processes', 'Jobs a second', 'Own CPU each', 'CPU of PostgreSQL each'];
  console.log([...heading(names), ...lines].join('\n'));
  await owner.close();
} finally {
  await postgres.stop();
  directory.remove();
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
