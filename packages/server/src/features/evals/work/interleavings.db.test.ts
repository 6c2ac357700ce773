/**
 * Three workers take slices of one run, write trials, die, return late and finish in any order, and
 * the run may be cancelled. In every order, each trial is written at most once, by the holder of
 * the lease. The decision equals the one computed from the written results.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { decideLaunchedRun, type LaunchedTrials, type TrialStatus } from '@proofmark/domain';
import { insertLaunchedRun, type LaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { createOperator } from '../../../main/operator.ts';
import {
  type ClaimedWork,
  claimWork,
  completeWork,
  returnInterrupted,
} from '../../../platform/work/store/leased-work.ts';
import { endRun } from '../operations/runs/end-run.ts';
import { readRun } from '../store/eval-runs.ts';
import { beginSlice, type TrialToWrite, writeTrialUpdates } from '../store/record-trials.ts';
import type { RecordingToWrite } from '../store/recordings.ts';
import { trialsWork } from '../store/run-work.ts';
import { watch } from './end-overdue-runs.ts';

let service: TestDatabase;
let tenant: { readonly organizationId: string; readonly projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  tenant = await createOperator(service.owner, '').bootstrap({
    email: 'owner@interleaved.example',
    organization: 'Interleaved',
  });
});
afterAll(() => service.drop());

const moves = ['claim', 'write', 'finish', 'die', 'writeLate', 'giveBack', 'watch'] as const;
type Move = { readonly worker: number; readonly move: (typeof moves)[number] };

const numRuns = 300;
const timeoutMs = 420_000;

test(
  'Any order of results, deaths and cancels gives the decision of the written results',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cases: fc.integer({ min: 1, max: 4 }),
          repetitions: fc.integer({ min: 1, max: 4 }),
          atOnce: fc.integer({ min: 1, max: 3 }),
        }),
        fc.array(
          fc.record({ worker: fc.integer({ min: 0, max: 2 }), move: fc.constantFrom(...moves) }),
          { minLength: 5, maxLength: 50 },
        ),
        fc.boolean(),
        fc.constantFrom(undefined, replay),
        async (shape, script, cancels, replay) => {
          const run = await insertLaunchedRun(service, tenant, { ...shape, replay });
          const written = new Map<number, Ended>();
          const workers = [0, 1, 2].map(() => new Worker(run, written));
          for (const { worker, move } of script) await workers[worker]?.do(move);
          await Promise.all(workers.map((worker) => worker.do('write')));
          if (cancels) await end(run, 'cancelled');
          else await runDry(run, written);
          await check(run, written, cancels);
        },
      ),
      { numRuns },
    );
  },
  timeoutMs,
);

const replay = {
  runId: 'run_0',
  model: 'recorded',
  servers: 'recorded',
  onDivergence: 'stop',
} as const;

/** Depends only on the ordinal, so that every worker writes the same outcome. */
function outcomeOf(ordinal: number): Ended {
  if (ordinal % 7 === 3) return { status: 'failed', result: null };
  if (ordinal % 5 === 2) return { status: 'completed', result: 'failed' };
  return { status: 'completed', result: 'passed' };
}

interface Ended {
  readonly status: TrialStatus;
  readonly result: 'passed' | 'failed' | null;
}

class Worker {
  readonly #run: LaunchedRun;
  readonly #written: Map<number, Ended>;
  #held: ClaimedWork | undefined;
  #lost: ClaimedWork | undefined;

  constructor(run: LaunchedRun, written: Map<number, Ended>) {
    this.#run = run;
    this.#written = written;
  }

  async do(move: Move['move']): Promise<void> {
    if (move === 'claim' && this.#held === undefined) {
      [this.#held] = await claimWork(service.database.sql, trialsWork, 1, 6000);
    } else if (move === 'write' && this.#held !== undefined) {
      await this.#write(this.#held, true);
    } else if (move === 'writeLate' && this.#lost !== undefined) {
      await this.#write(this.#lost, false);
    } else if (move === 'finish' && this.#held !== undefined) {
      while (await this.#write(this.#held, true));
      const held = this.#held;
      this.#held = undefined;
      await finish(this.#run, held);
    } else if (move === 'die' && this.#held !== undefined) {
      this.#lost = this.#held;
      this.#held = undefined;
      await expire(this.#run.runId, this.#lost.number);
    } else if (move === 'giveBack' && this.#held !== undefined) {
      const held = this.#held;
      this.#held = undefined;
      await inTenant((sql) => returnInterrupted(sql, held));
    } else if (move === 'watch') {
      await watch(service.database, { error: () => undefined });
    }
  }

  async #write(held: ClaimedWork, mustBeTaken: boolean): Promise<boolean> {
    const [open] = await inTenant((sql) => beginSlice(sql, held));
    const ordinal = open ?? held.firstItem;
    const ended = toWrite(ordinal, this.#run.plan.replay !== undefined);
    const [taken] = await inTenant((sql) =>
      writeTrialUpdates(sql, { ...tenant, runId: this.#run.runId }, [{ held, ended }]),
    );
    // A write under an expired lease is rejected, even if no other worker has taken the slice.
    expect(taken).toBe(mustBeTaken || (await stillLeased(held)));
    if (taken && open !== undefined) this.#written.set(ordinal, outcomeOf(ordinal));
    return taken === true && open !== undefined;
  }
}

async function stillLeased({ lease }: ClaimedWork): Promise<boolean> {
  const rows = await service.owner.sql`
    select from leased_work where lease = ${lease}::bigint and status = 'leased'
      and leased_until > clock_timestamp()`;
  return rows.count > 0;
}

/** Returns a recording with one of three contents, so that some recordings are equal. */
function recordingOf(ordinal: number): RecordingToWrite {
  const content = JSON.stringify({ said: ordinal % 3 });
  return {
    state: 'kept',
    bytes: content.length,
    hash: sha256Hex(content),
    content: gzipSync(content).toString('base64'),
    durations: { trialMs: 1, servers: [], exchanges: [] },
  };
}

function replayStateOf(ordinal: number) {
  return ordinal % 4 === 1 ? 'notRecorded' : 'played';
}

function toWrite(ordinal: number, isReplayed: boolean): TrialToWrite {
  return {
    ...(isReplayed ? { replayState: replayStateOf(ordinal) } : { recording: recordingOf(ordinal) }),
    ordinal,
    ...outcomeOf(ordinal),
    evaluatorError: false,
    startedAtMs: 1,
    durationMs: 1,
    tokensUsed: null,
    usage: null,
    actualToolCalls: [],
    error: null,
    scores: null,
    chain: {},
    toolSurface: null,
    trace: { ordinal },
    details: {},
    spent: [],
  };
}

async function finish(run: LaunchedRun, held: ClaimedWork): Promise<void> {
  await inTenant(async (sql) => {
    const row = await readRun(sql, run.projectId, run.runId, 'forUpdate');
    if (row === undefined) throw new Error('The run is gone.');
    if ((await completeWork(sql, held)) === 'last') await endRun(sql, row, 'completed');
  });
}

async function end(run: LaunchedRun, as: 'cancelled'): Promise<void> {
  await inTenant(async (sql) => {
    const row = await readRun(sql, run.projectId, run.runId, 'forUpdate');
    if (row !== undefined && row.status !== 'completed') await endRun(sql, row, as);
  });
}

async function runDry(run: LaunchedRun, written: Map<number, Ended>): Promise<void> {
  await service.owner.sql`
    update leased_work set leased_until = now() - interval '1 second' where group_id = ${run.runId}`;
  await watch(service.database, { error: () => undefined });
  const last = new Worker(run, written);
  for (let round = 0; round < 40; round += 1) {
    await last.do('claim');
    await last.do('finish');
  }
}

async function expire(runId: string, number: number): Promise<void> {
  await service.owner.sql`
    update leased_work set leased_until = now() - interval '1 second'
    where group_id = ${runId} and number = ${number} and status = 'leased'`;
}

async function check(
  run: LaunchedRun,
  written: Map<number, Ended>,
  cancelled: boolean,
): Promise<void> {
  const rows = await service.owner.sql<{ ordinal: number; status: string; traces: number }[]>`
    select ordinal, status, (select count(*)::int from eval_traces
      where eval_traces.run_id = eval_iterations.run_id and eval_traces.ordinal = eval_iterations.ordinal) as traces
    from eval_iterations where run_id = ${run.runId} order by ordinal`;
  const stored = await inTenant((sql) => readRun(sql, run.projectId, run.runId));
  if (run.plan.replay === undefined) await checkRecordings(run, written);
  else {
    const states = [...written.keys()].map(replayStateOf);
    expect(stored?.replay).toMatchObject({
      trials: states.filter((state) => state === 'played').length,
      notRecorded: states.filter((state) => state === 'notRecorded').length,
    });
  }
  const wasCompleted = stored?.status === 'completed';
  if (!cancelled) expect([wasCompleted, written.size]).toEqual([true, run.trialCount]);
  for (const { ordinal, status, traces } of rows) {
    const ended = written.get(ordinal);
    expect({ ordinal, status, traces }).toEqual({
      ordinal,
      status: ended?.status ?? 'cancelled',
      traces: ended === undefined ? 0 : 1,
    });
  }
  const counted = rows.map(({ ordinal }): LaunchedTrials => {
    const index = Math.floor((ordinal - 1) / (run.trialCount / run.plan.cases.length));
    const { status, result } = written.get(ordinal) ?? {
      status: 'cancelled' as const,
      result: null,
    };
    const { caseId = '', variants = [] } = run.plan.cases[index] ?? {};
    const { model = null, provider = null } = variants[0] ?? {};
    return { caseId, model, provider, status, result, evaluatorError: false, count: 1 };
  });
  const terms = stored?.snapshot.terms;
  if (terms === undefined) throw new Error('The run is gone.');
  const sequential = decideLaunchedRun({ terms, plan: run.plan, wasCompleted }, counted, sha256Hex);
  expect(stored?.verdictSummary).toEqual(sequential.decision);
  expect(stored?.result).toBe(sequential.result);
}

async function checkRecordings(run: LaunchedRun, written: Map<number, Ended>): Promise<void> {
  const named = await service.owner.sql<
    { ordinal: number; hash: string; content: Buffer | null }[]
  >`
    select ordinal, hash, content from trial_recordings
      left join recordings using (organization_id, hash)
    where run_id = ${run.runId} order by ordinal`;
  const ordinals = [...written.keys()].sort((one, other) => one - other);
  expect(named.map(({ ordinal }) => ordinal)).toEqual(ordinals);
  for (const { ordinal, hash, content } of named) {
    expect(hash).toBe(recordingOf(ordinal).hash);
    expect(sha256Hex(gunzipSync(content ?? Buffer.alloc(0)).toString())).toBe(hash);
  }
}

function inTenant<Result>(work: Parameters<typeof service.database.tenant<Result>>[1]) {
  return service.database.tenant([tenant.organizationId], work);
}
