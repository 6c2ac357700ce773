import pg from 'pg';
import type { Costs } from './costs.ts';
import { cpuOfCluster } from './cpu.ts';
import type { Stage } from './stage.ts';

const listeners = 100;
const times = 200;
const commits = 300;

export async function measureNotify(stage: Stage): Promise<Costs['notify']> {
  const clients = Array.from({ length: listeners }, () => new pg.Client(stage.url));
  let receivedCount = 0;
  for (const client of clients) {
    client.on('notification', () => {
      receivedCount += 1;
    });
    await client.connect();
    await client.query('listen capacity');
  }
  const notify = async (channel: string) => {
    const [ours, postgres] = [process.cpuUsage(), cpuOfCluster(stage.cluster)];
    for (let time = 0; time < times; time += 1) {
      await stage.owner.sql`select pg_notify(${channel}, 'work')`;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { user, system } = process.cpuUsage(ours);
    return {
      workerCpu: (user + system) / 1e6,
      postgresCpu: cpuOfCluster(stage.cluster) - postgres,
    };
  };
  const withListeners = await notify('capacity');
  if (receivedCount !== listeners * times) throw new Error(`Only ${receivedCount} were heard.`);
  await Promise.all(clients.map((client) => client.end()));
  const withoutListeners = await notify('nobody');
  const each = (one: number, other: number) => Math.max(0, one - other) / (listeners * times);
  return {
    postgresCpu: each(withListeners.postgresCpu, withoutListeners.postgresCpu),
    workerCpu: each(withListeners.workerCpu, withoutListeners.workerCpu),
  };
}

/**
 * Returns the duration of a commit in seconds: the median time of a write minus the median time of
 * a read.
 */
export async function measureCommit(stage: Stage): Promise<number> {
  const { sql } = stage.owner;
  await sql.unsafe('create table if not exists capacity (number integer)');
  const timed = async (ask: () => Promise<unknown>) => {
    const taken: number[] = [];
    for (let count = 0; count < commits; count += 1) {
      const startedMs = performance.now();
      await ask();
      taken.push((performance.now() - startedMs) / 1000);
    }
    return taken.sort((one, other) => one - other)[commits / 2] ?? 0;
  };
  const reads = await timed(() => sql`select count(*) from capacity where number = 1`.then());
  const writes = await timed(() => sql`insert into capacity values (1)`.then());
  return Math.max(0, writes - reads);
}
