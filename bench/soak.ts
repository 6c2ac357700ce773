/**
 * Measures whether the memory of a service levels off under work. `npm run soak -- 60` launches the
 * sample suite for an hour and prints the memory every minute. The minimum of each minute is
 * compared, because uncollected garbage is not growth. SIGUSR2 to the printed process id writes a
 * heap snapshot into this folder.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { postgresMemoryBytes } from './postgres-memory.ts';
import { startService } from './processes.ts';
import { leastOf, type MemorySample, memorySample, slopePerHour } from './soak-figures.ts';

const minutes = Number(process.argv[2] ?? 60);
const runsPerMinute = Number(process.argv[3] ?? 25);
if (!(minutes > 0) || !(runsPerMinute > 0))
  throw new Error('Give minutes, and runs per minute where 25 are not meant.');
const betweenRunsMs = 60_000 / runsPerMinute;
const betweenSamplesMs = 5000;
const minutesBetweenCollections = 5;
const collectedMemoryFile = join(tmpdir(), `proofmark-soak-${process.pid}.json`);

const service = await startService({
  PROOFMARK_SAMPLE: 'on',
  NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --import ${new URL('collect-on-signal.mjs', import.meta.url)}`,
  COLLECTED_MEMORY_FILE: collectedMemoryFile,
});
try {
  await soak();
} finally {
  await service.stop();
  rmSync(collectedMemoryFile, { force: true });
}

async function soak(): Promise<void> {
  const made = JSON.parse(
    await service.admin(
      ...['bootstrap', '--email', 'owner@localhost', '--organization', 'My organization'],
      '--json',
    ),
  ) as { apiKey: string; projectId: string };
  const ask = callerOf(made);
  const { items } = (await ask('eval-suites')) as { items: { id: string }[] };
  const suiteId = items[0]?.id;
  if (suiteId === undefined) throw new Error('The sample suite is not there.');
  const playOne = async () => {
    const { runId } = await ask('eval-runs', { suiteId });
    for (;;) {
      await after(200);
      if ((await ask(`eval-runs/${runId}`))['completedAt'] !== null) break;
    }
    await ask(`eval-runs/${runId}/decision-summary`);
    const trials = (await ask(`eval-runs/${runId}/iterations`)) as { items: { id: string }[] };
    for (const { id } of trials.items.slice(0, 3))
      await ask(`eval-runs/${runId}/iterations/${id}/trace`);
  };

  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > minutes * 60_000;
  let runs = 0;
  let isDone = false;
  const everyMinute: MemorySample[] = [];
  const everyCollection: NodeJS.MemoryUsage[] = [];
  const playing = (async () => {
    while (!isOver()) {
      const began = performance.now();
      await playOne();
      runs += 1;
      await after(Math.max(0, betweenRunsMs - (performance.now() - began)));
    }
  })().finally(() => {
    isDone = true;
  });
  console.log(`Process ${service.pid}, the sample suite ${runsPerMinute} times a minute.`);
  console.log(
    'minute  runs   resident  heap used  external  handles  postgres  (MB, least of the minute; after a collection: heap used, external, buffers, resident)',
  );
  let ofMinute: MemorySample[] = [];
  while (!isDone) {
    await Promise.race([playing, after(betweenSamplesMs)]);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    ofMinute.push(memorySample(text, postgresMemoryBytes(service.folder)));
    const minute = Math.floor((performance.now() - startedAt) / 60_000);
    if (minute <= everyMinute.length) continue;
    const least = leastOf(ofMinute);
    ofMinute = [];
    everyMinute.push(least);
    const collected =
      everyMinute.length % minutesBetweenCollections === 0 ? await afterCollection() : undefined;
    if (collected !== undefined) everyCollection.push(collected);
    console.log(line(everyMinute.length, runs, least, collected));
  }
  await playing;
  printGrowth(runs, everyMinute, everyCollection);
}

function callerOf({ apiKey, projectId }: { readonly apiKey: string; readonly projectId: string }) {
  const project = `${service.url}/api/v1/projects/${projectId}`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return async (path: string, body?: object) => {
    for (;;) {
      const answer = await fetch(`${project}/${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text) as Record<string, unknown>;
      // A busy service answers 503 with a Retry-After header.
      if (answer.status !== 503) throw new Error(`${path}: ${text}`);
      await after(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    }
  };
}

function printGrowth(
  runs: number,
  everyMinute: readonly MemorySample[],
  everyCollection: readonly NodeJS.MemoryUsage[],
): void {
  const later = everyMinute.slice(Math.floor(everyMinute.length / 2));
  const slope = (of: (sample: MemorySample) => number) => slopePerHour(later.map(of)).toFixed(1);
  console.log(
    `${runs} runs in ${minutes} min. In the second half: resident ${slope((one) => one.residentMb)} MB/h, heap used ${slope((one) => one.heapUsedMb)} MB/h, PostgreSQL ${slope((one) => one.postgresMb)} MB/h.`,
  );
  const laterCollections = everyCollection.slice(Math.floor(everyCollection.length / 2));
  const [first, last] = [laterCollections[0], laterCollections.at(-1)];
  if (first !== undefined && last !== undefined)
    console.log(
      `After a collection: heap used ${megabytes(first.heapUsed)} MB in the middle, ${megabytes(last.heapUsed)} MB at the end; external ${megabytes(first.external)} and ${megabytes(last.external)} MB.`,
    );
}

async function afterCollection(): Promise<NodeJS.MemoryUsage> {
  rmSync(collectedMemoryFile, { force: true });
  process.kill(service.pid, 'SIGWINCH');
  while (!existsSync(collectedMemoryFile)) await after(50);
  return JSON.parse(readFileSync(collectedMemoryFile, 'utf8')) as NodeJS.MemoryUsage;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

function line(
  minute: number,
  runs: number,
  sample: MemorySample,
  collected?: NodeJS.MemoryUsage,
): string {
  const { residentMb, heapUsedMb, externalMb, handles, postgresMb } = sample;
  const columns = [
    String(minute).padStart(6),
    String(runs).padStart(5),
    residentMb.toFixed(0).padStart(10),
    heapUsedMb.toFixed(1).padStart(10),
    externalMb.toFixed(1).padStart(9),
    String(handles).padStart(8),
    postgresMb.toFixed(0).padStart(9),
    ...(collected === undefined
      ? []
      : [collected.heapUsed, collected.external, collected.arrayBuffers, collected.rss].map(
          (bytes) => megabytes(bytes).padStart(9),
        )),
  ];
  return columns.join(' ');
}
