import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSample, type Sample } from '../../features/evals/store/sample.ts';
import { createModelGateway } from '../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { claimInstallation } from '../../platform/database/installation.ts';
import { defaultRunLimits } from '../../platform/spending/run-limits.ts';
import { buyingJourney, weekendJourney } from './sample-swarm.ts';
import { type StartedSample, startSample } from './start-sample.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

interface Fresh {
  readonly service: TestService;
  readonly project: { readonly projectId: string; readonly key: string };
  readonly ask: ProjectCaller;
  start(): Promise<StartedSample>;
  play(started: StartedSample): ReturnType<StartedSample['play']>;
  count(table: string): Promise<number>;
  stop(): Promise<void>;
}

let models: ModelGateway;
beforeAll(() => {
  models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
});
afterAll(() => models.close());

async function makeFresh(): Promise<Fresh> {
  const service = await startTestService({ models });
  await claimInstallation(service.owner);
  const wanted = { email: 'owner@sample.example', organization: 'Sample' };
  const { projectId, apiKey: key } = await service.operator.bootstrap(wanted);
  const { owner, database } = service;
  return {
    service,
    project: { projectId, key },
    ask: projectCaller(service, { projectId, key }),
    start: () => startSample(owner, { widgets: false }),
    play: (started) => started.play({ database, models, limits: defaultRunLimits, worker: true }),
    async count(table) {
      const [row] = await owner.sql<{ n: number }[]>`
        select count(*)::int as n from ${owner.sql(table)}`;
      return row?.n ?? 0;
    },
    stop: () => service.stop(),
  };
}

const made = ['clients', 'environments', 'personas', 'journeys', 'servers', 'eval_suites'];

describe('the first start', () => {
  let fresh: Fresh;
  let worker: TestWorker | undefined;
  let started: StartedSample;
  beforeAll(async () => {
    fresh = await makeFresh();
  });
  afterAll(async () => {
    await started?.stop();
    await worker?.stop();
    await fresh.stop();
  });
  const counts = () => Promise.all(made.map((table) => fresh.count(table)));
  const read = async (path: string): Promise<Answer> => (await fresh.ask('GET', path)).body;

  test('that ends before the sample is whole leaves nothing of it', async () => {
    const { sql } = fresh.service.owner;
    await sql.unsafe(`
      create function refuse_row() returns trigger language plpgsql as
        $$ begin raise 'The power is gone.'; end $$;
      create trigger refuse_row after insert on journeys
        for each row when (new.name = '${weekendJourney.name}') execute function refuse_row()`);
    await expect(fresh.start()).rejects.toThrow('The power is gone.');
    await sql.unsafe('drop trigger refuse_row on journeys; drop function refuse_row()');
    expect(await counts()).toEqual(made.map(() => 0));
    expect(await readSample(fresh.service.owner)).toBeUndefined();
  });

  test('that ends before anybody plays is gone on with by the next, with the same run', async () => {
    started = await fresh.start();
    const unfinished = fresh.play(started);
    await expect.poll(() => fresh.count('journey_runs')).toBe(1);
    await started.stop();
    expect(await unfinished).toBeUndefined();
    worker = await startTestWorker(fresh.service, models);
    started = await fresh.start();
    const report = await fresh.play(started);
    expect(report).toEqual({ runId: expect.stringMatching(/^jrn_/), sessions: 4, findings: 2 });
    expect(await fresh.play(started)).toEqual(report);
    expect(await fresh.count('journey_runs')).toBe(1);
    expect(await counts()).toEqual([1, 1, 2, 2, 1, 1]);
  });

  test('names client and environment "Sample", and asks both journeys for the same three things', async () => {
    const [client] = (await read('clients')).items;
    const [environment] = (await read('environments')).items;
    expect([client.name, environment.name, environment.hostId]).toEqual([
      ...['Sample', 'Sample', client.id],
    ]);
    const { items } = await read('journeys');
    expect(items.map(({ name }: Answer) => name).sort()).toEqual(
      [buyingJourney.name, weekendJourney.name].sort(),
    );
    for (const { rubric, environmentIds } of items) {
      expect(rubric.map(({ predicate }: Answer) => predicate.type)).toEqual([
        ...['noToolErrors', 'toolCalledAtLeastOnce', 'turnCountUnder'],
      ]);
      expect(environmentIds).toEqual([environment.id]);
    }
  });

  test('fails at the hours of Sunday alone: two findings of one cause, both at response', async () => {
    const { items: findings } = await read('journey-findings');
    const { journeyId, serverId } = (await readSample(fresh.service.owner)) as Sample;
    const rows = findings.map((one: Answer) => [
      ...[one.dimension, one.subject.id, one.firstFailedStage, one.failureCategory],
      ...[one.evidence.affected, one.evidence.sliceTotal],
    ]);
    expect(rows.sort()).toEqual([
      ['criterion_fail', `${journeyId}.no-tool-errors`, 'response', 'serverData', 4, 4],
      ['tool_errors', `${serverId}.opening_hours`, 'response', 'serverData', 4, 4],
    ]);
    const [{ id: runId }] = (await read(`journeys/${journeyId}/runs`)).items;
    expect((await read(`journey-runs/${runId}`)).isSample).toBe(true);
    const card = await read(`journey-runs/${runId}/scorecard`);
    // Every session uses different messages, so the transcripts differ.
    expect(card).toMatchObject({ sessionsGraded: 4, distinctTranscripts: 4 });
    expect(card.criteria.map((one: Answer) => [one.id, one.failCount])).toEqual([
      ...[
        ['no-tool-errors', 4],
        ['tool-called', 0],
        ['few-turns', 0],
      ],
    ]);
  });

  test('a session of it as a case fails at the same stage with the same category, three times', async () => {
    const { journeyId, suiteId } = (await readSample(fresh.service.owner)) as Sample;
    const [{ id: of }] = (await read(`journeys/${journeyId}/runs`)).items;
    const [session] = (await read(`journey-runs/${of}/sessions`)).items;
    const path = `journey-runs/${of}/sessions/${session.id}/eval-case`;
    const kept = await fresh.ask('POST', path, { suiteId });
    expect(kept.status, kept.text).toBe(201);
    const request = { suiteId, caseIds: [kept.body.id], iterationOverride: 3 };
    const { runId } = (await fresh.ask('POST', 'eval-runs', request)).body;
    await untilEnded(fresh.service, fresh.project, runId);
    const { items: trials } = await read(`eval-runs/${runId}/iterations`);
    const failureOf = ({ firstFailedStage, failureCategory }: Answer) => [
      ...[firstFailedStage, failureCategory],
    ];
    expect(failureOf(session.chain)).toEqual(['response', 'serverData']);
    expect(trials.map((trial: Answer) => [trial.result, ...failureOf(trial)])).toEqual(
      Array(3).fill(['failed', 'response', 'serverData']),
    );
  });

  test('is never made again, also where its journey was archived', async () => {
    const { journeyId } = (await readSample(fresh.service.owner)) as Sample;
    expect((await fresh.ask('DELETE', `journeys/${journeyId}`)).status).toBe(200);
    await started.stop();
    started = await fresh.start();
    expect(await fresh.play(started)).toBeUndefined();
    expect(await counts()).toEqual([1, 1, 2, 2, 1, 1]);
    expect(await fresh.count('journey_runs')).toBe(1);
  });
});

test('where an environment is called "Sample" already, it is left alone and nobody plays', async () => {
  const fresh = await makeFresh();
  const own = (await fresh.ask('POST', 'clients', { name: 'Own', template: 'proofmark' })).body;
  const request = { name: 'sample', hostId: own.id };
  expect((await fresh.ask('POST', 'environments', request)).status).toBe(201);
  const started = await fresh.start();
  expect(await fresh.play(started)).toBeUndefined();
  expect(await Promise.all(['eval_suites', 'clients', 'journeys'].map(fresh.count))).toEqual([
    ...[1, 1, 0],
  ]);
  await started.stop();
  await fresh.stop();
});

test('both journeys on fresh data again: equal transcripts, grades and findings, up to ids and times', async () => {
  const first = await playBoth();
  expect(first.sessions.map(({ result }: Answer) => result)).toEqual([
    ...[...Array(4).fill('failed'), 'passed', 'passed'],
  ]);
  expect(first.findings).toHaveLength(2);
  expect(first.transcripts.every((one) => one.length > 0)).toBe(true);
  expect(await playBoth()).toEqual(first);
});

async function playBoth() {
  const fresh = await makeFresh();
  const worker = await startTestWorker(fresh.service, models);
  const started = await fresh.start();
  try {
    const read = async (path: string): Promise<Answer> => (await fresh.ask('GET', path)).body;
    const weekend = (await fresh.play(started))?.runId;
    const { items } = await read('journeys');
    const buying = items.find(({ name }: Answer) => name === buyingJourney.name);
    const { body } = await fresh.ask('POST', `journeys/${buying.id}/runs`, {});
    const isMined = async () => (await read(`waves/${body.waveId}`)).mined;
    await expect.poll(isMined, { timeout: 20_000, interval: 30 }).toBe(true);
    const sessions: Answer[] = [];
    const transcripts: Answer[] = [];
    for (const runId of [weekend, body.id]) {
      for (const session of (await read(`journey-runs/${runId}/sessions`)).items) {
        sessions.push(session);
        const trace = await read(`journey-runs/${runId}/sessions/${session.id}/trace`);
        transcripts.push(trace.messages);
      }
    }
    const { items: findings } = await read('journey-findings');
    findings.sort((one: Answer, other: Answer) => (one.dimension < other.dimension ? -1 : 1));
    return comparable({ sessions, transcripts, findings });
  } finally {
    await started.stop();
    await worker.stop();
    await fresh.stop();
  }
}

/** Removes times, and replaces each id by its kind. */
function comparable<Read>(read: Read): Read {
  const text = JSON.stringify(read, (name, value) => (/At$/.test(name) ? undefined : value));
  return JSON.parse(
    text
      .replaceAll(/fnd_[0-9a-f]{32}/g, 'fnd')
      .replaceAll(/\b(\w+_)?([a-z]{3})_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-hjkmnp-tv-z]{26})/g, '$2')
      .replaceAll(/jrn_[0-9a-f]{8}_(\d)/g, 'jrn_$1'),
  );
}
