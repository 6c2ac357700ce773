/**
 * Measures one way to distribute work. Throughput is the time from creating empty jobs of twelve
 * groups until all are done. Recovery is the time until another process completes the job of a
 * killed process.
 */
import { setTimeout as after } from 'node:timers/promises';
import { startChild } from '@proofmark/harness/start-child.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { cpuOf, cpuOfCluster } from '../capacity/cpu.ts';

export interface Contender {
  readonly name: string;
  /**
   * The worker program. It prints a line of JSON when it is ready. An argument makes its jobs empty
   * (`empty`) or endless (`hang`).
   */
  readonly script: string;
  readonly parameters: readonly string[];
  add(owner: Database, jobs: number): Promise<void>;
  countLeft(owner: Database): Promise<number>;
}

export interface Place {
  readonly url: string;
  readonly cluster: string;
  readonly owner: Database;
}

export interface Throughput {
  readonly perSecond: number;
  readonly ownCpu: number;
  readonly postgresCpu: number;
}

export async function measureThroughput(
  { url, cluster, owner }: Place,
  contender: Contender,
  jobs: number,
  processes: number,
): Promise<Throughput> {
  const workers = await Promise.all(
    Array.from({ length: processes }, () => start(contender, url, 'empty')),
  );
  const cpu = () => workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  const work = async (count: number) => {
    await contender.add(owner, count);
    while ((await contender.countLeft(owner)) > 0) await after(20);
  };
  try {
    await work(jobs / 2);
    await after(500);
    const [own, postgres, startedMs] = [cpu(), cpuOfCluster(cluster), performance.now()];
    await work(jobs);
    const seconds = (performance.now() - startedMs) / 1000;
    return {
      perSecond: jobs / seconds,
      ownCpu: (cpu() - own) / jobs,
      postgresCpu: (cpuOfCluster(cluster) - postgres) / jobs,
    };
  } finally {
    await Promise.all(workers.map(stop));
  }
}

/** Returns the recovery time in seconds, or undefined if it exceeds the limit. */
export async function measureRecovery(
  { url, owner }: Place,
  contender: Contender,
  atMost: number,
): Promise<number | undefined> {
  const doomed = await start(contender, url, 'hang');
  await contender.add(owner, 1);
  await after(3000);
  doomed.kill('SIGKILL');
  const killedMs = performance.now();
  await doomed.closed;
  const heir = await start(contender, url, 'empty');
  try {
    for (;;) {
      const seconds = (performance.now() - killedMs) / 1000;
      if ((await contender.countLeft(owner)) === 0) return seconds;
      if (seconds > atMost) return undefined;
      await after(100);
    }
  } finally {
    await stop(heir);
  }
}

async function start(contender: Contender, url: string, jobs: 'empty' | 'hang') {
  const child = startChild(contender.script, [url, jobs, ...contender.parameters]);
  await child.first;
  return child;
}

async function stop(child: ReturnType<typeof startChild>): Promise<void> {
  child.kill('SIGKILL');
  await child.closed;
}
