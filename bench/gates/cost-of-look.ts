/**
 * The CPU of a look: of deciding whether its case needs more trials, with the statement that reads
 * their results, and of the statements that begin the next trials. Both run on the database of a
 * run that was played, as the role of the service, and are rolled back.
 */
import { randomBytes } from 'node:crypto';
import { embeddedUrl } from '@proofmark/harness/journeys/in-database.ts';
import { placedPlans, type RunPlan } from '../../packages/domain/src/index.ts';
import { findRunPlan } from '../../packages/server/src/features/evals/store/run-plans.ts';
import { trialsWork } from '../../packages/server/src/features/evals/store/run-work.ts';
import { beginNextLook } from '../../packages/server/src/features/evals/work/begin-next-look.ts';
import { openDatabase, type Sql } from '../../packages/server/src/platform/database/database.ts';
import { serviceRoleOf } from '../../packages/server/src/platform/migrations/service-grants.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import {
  addWork,
  type ClaimedWork,
} from '../../packages/server/src/platform/work/store/leased-work.ts';
import { postgresCpuSeconds } from '../postgres-cpu.ts';

export interface CostOfLook {
  /** Microseconds of this process, of PostgreSQL included. */
  readonly decidingMicroseconds: number;
  readonly beginningMicroseconds: number;
}

const times = 1000;

export async function costOfLook(dataDir: string, runId: string): Promise<CostOfLook> {
  const vault = createVault(randomBytes(32));
  const database = openDatabase({ url: embeddedUrl(dataDir), vault, as: 'owner' });
  try {
    const [found] = await database.sql<Pick<ClaimedWork, 'organizationId' | 'projectId'>[]>`
      select organization_id, project_id from eval_runs where id = ${runId}`;
    if (found === undefined) throw new Error('There is no such run.');
    const cost = (isOpen: boolean) =>
      undone(database, found.organizationId, async (sql) => {
        const { work, plan } = await atLook(sql, { ...found, groupId: runId }, isOpen);
        const look = () => beginNextLook(sql, work, plan);
        // The first looks compile the code and prepare the statements.
        await measure(dataDir, sql, look, 200);
        const each = await measure(dataDir, sql, look, times);
        return each - (await measure(dataDir, sql, async () => undefined, times));
      });
    const decidingMicroseconds = await cost(true);
    return {
      decidingMicroseconds,
      beginningMicroseconds: (await cost(false)) - decidingMicroseconds,
    };
  } finally {
    await database.close();
  }
}

class Undone extends Error {}

async function undone(
  database: ReturnType<typeof openDatabase>,
  organizationId: string,
  work: (sql: Sql) => Promise<number>,
): Promise<number> {
  let result = Number.NaN;
  const undo = async (sql: Sql) => {
    result = await work(sql);
    throw new Undone();
  };
  await database.tenant([organizationId], undo, 'slow').catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return result;
}

/** Undoes all but one look of a case variant that had more, the last of them open or ended. */
async function atLook(
  sql: Sql,
  of: Pick<ClaimedWork, 'organizationId' | 'projectId' | 'groupId'>,
  isOpen: boolean,
): Promise<{ work: ClaimedWork; plan: RunPlan }> {
  const { organizationId, projectId, groupId: runId } = of;
  const plan = await findRunPlan(sql, runId);
  const placed = plan && placedPlans(plan)[0];
  if (placed === undefined) throw new Error('The run has no plan.');
  const [last] = await sql<{ ordinal: number }[]>`
    select max(ordinal) - ${placed.plan.look} as ordinal from eval_iterations
    where run_id = ${runId} and ordinal between ${placed.firstOrdinal} and ${placed.lastOrdinal}`;
  const lastItem = last?.ordinal ?? 0;
  await sql`
    delete from eval_iterations where run_id = ${runId} and ordinal > ${lastItem} and ordinal <= ${placed.lastOrdinal}`;
  if (isOpen) {
    await sql`
      update eval_iterations set status = 'running' where run_id = ${runId} and ordinal = ${lastItem}`;
  }
  const range = { firstItem: lastItem, lastItem };
  const kind = trialsWork;
  await addWork(sql, { kind, id: runId, organizationId, projectId, atOnce: 8 }, [range]);
  await sql`
    update leased_work set status = 'leased', lease = 1, leased_until = now() + interval '1 hour'
    where kind = ${kind} and group_id = ${runId}`;
  const [{ name } = { name: '' }] = await sql<
    { name: string }[]
  >`select current_database() as name`;
  await sql`select set_config('role', ${serviceRoleOf(name)}, true)`;
  return {
    work: { kind, ...of, ...range, number: 1, lease: '1', attemptCost: 5 },
    plan: plan as RunPlan,
  };
}

/** Returns the CPU of each time, in microseconds. */
async function measure(
  dataDir: string,
  sql: Sql,
  work: () => Promise<void>,
  amount: number,
): Promise<number> {
  const before = process.cpuUsage();
  const postgresBefore = postgresCpuSeconds(dataDir) ?? 0;
  for (let time = 0; time < amount; time += 1) {
    await sql`savepoint look`;
    await work();
    await sql`rollback to savepoint look`;
  }
  const { user, system } = process.cpuUsage(before);
  const postgres = ((postgresCpuSeconds(dataDir) ?? 0) - postgresBefore) * 1e6;
  return (user + system + postgres) / amount;
}
