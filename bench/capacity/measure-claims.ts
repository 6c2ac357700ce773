/**
 * Measures the CPU of a claim and how long it holds the claim lock, for several numbers of open
 * groups. First one of each group's eight slots is free. Then no slot is free, so that a claim
 * finds nothing.
 */
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import {
  addWork,
  type ClaimedWork,
  claimWork,
  completeWork,
} from '../../packages/server/src/platform/work/store/leased-work.ts';
import type { ClaimCost } from './costs.ts';
import { cpuOf } from './cpu.ts';
import type { Stage } from './stage.ts';

const sizes = [12, 100, 500, 1000] as const;
const claims = 100;
const kind = 'capacity';
const atOnce = 8;
const leaseMs = 600_000;

export async function measureClaims(
  stage: Pick<Stage, 'serviceUrl' | 'owner'>,
): Promise<ClaimCost[]> {
  const measured: ClaimCost[] = [];
  await addOrganizations(stage, Math.max(...sizes) / 2);
  const database = openDatabase({
    url: stage.serviceUrl,
    vault: createVault(Buffer.alloc(32)),
    as: 'service',
    kind: 'work',
    maxConnections: 1,
  });
  try {
    const [backend] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const pid = backend?.pid ?? 0;
    for (const groups of sizes) {
      await stage.owner.sql`delete from work_groups where kind = ${kind}`;
      for (let group = 0; group < groups; group += 1) {
        // Each organization gets two runs, which is its limit of open runs.
        const organizationId = `capacity-${Math.floor(group / 2) + 1}`;
        const ids = { organizationId, projectId: organizationId };
        const ranges = Array.from({ length: 40 }, (_, item) => ({
          firstItem: item,
          lastItem: item,
        }));
        await stage.owner.transaction((sql) =>
          addWork(sql, { kind, id: `group-${group}`, ...ids, atOnce }, ranges),
        );
      }
      await stage.owner.sql`
        update leased_work set status = 'leased', lease = nextval('work_leases'),
          leased_until = now() + interval '1 hour'
        where kind = ${kind} and number < ${atOnce}`;
      await stage.owner.sql.unsafe('vacuum analyze work_groups, leased_work');
      const claim = async () => {
        const [cpu, startedMs] = [cpuOf(pid), performance.now()];
        const found = await claimWork(database.sql, kind, 1, leaseMs);
        return { found, held: (performance.now() - startedMs) / 1000, cpu: cpuOf(pid) - cpu };
      };
      const found = await repeat(claim, async (one) => {
        await database.tenant([one.organizationId], (sql) => completeWork(sql, one));
      });
      await stage.owner.sql`update work_groups set at_once = ${atOnce - 1} where kind = ${kind}`;
      const empty = await repeat(claim, async () => {
        throw new Error('Something was left to claim.');
      });
      const { cpu, held } = found;
      measured.push({ groups, cpu, held, emptyCpu: empty.cpu, emptyHeld: empty.held });
    }
  } finally {
    await database.close();
  }
  return measured;
}

async function repeat(
  claim: () => Promise<{ found: readonly ClaimedWork[]; held: number; cpu: number }>,
  settle: (work: ClaimedWork) => Promise<void>,
): Promise<{ cpu: number; held: number }> {
  let cpu = 0;
  const held: number[] = [];
  for (let count = 0; count < claims; count += 1) {
    const one = await claim();
    cpu += one.cpu;
    held.push(one.held);
    for (const work of one.found) await settle(work);
  }
  held.sort((one, other) => one - other);
  return { cpu: cpu / claims, held: held[claims / 2] ?? 0 };
}

export async function addOrganizations(stage: Pick<Stage, 'owner'>, count: number): Promise<void> {
  await stage.owner.sql`
    insert into organizations (id, name)
    select 'capacity-' || number, 'Capacity ' || number from generate_series(1, ${count}) number
    on conflict do nothing`;
  await stage.owner.sql`
    insert into projects (id, organization_id, name, visibility)
    select 'capacity-' || number, 'capacity-' || number, 'Capacity', 'public'
    from generate_series(1, ${count}) number
    on conflict do nothing`;
}
