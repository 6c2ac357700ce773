/**
 * Tests every row of the stage table. A row becomes a suite over HTTP, and a worker runs the suite
 * against real servers and a real model provider. The result is read from the decision summary, or
 * from the list of trials if a trial passed.
 */

import { type Assertion, nextAction, trialAdvice } from '@proofmark/domain';
import {
  type EndedRun,
  type EvalFixture,
  startEvalFixture,
} from '@proofmark/harness/eval-fixture.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
import type { StageRow } from '@proofmark/harness/stage-row.ts';
import { startStageServer } from '@proofmark/harness/stage-servers.ts';
import { stageTable } from '@proofmark/harness/stage-table.ts';
import { untilEnded } from '@proofmark/harness/test-worker.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import { isJudged, judgeOf, scriptOf } from './row-script.ts';

const modelOf = (row: StageRow) => `row-${stageTable.indexOf(row)}`;

let fixture: EvalFixture;
const stops: (() => Promise<void>)[] = [];
const ended = new Map<string, EndedRun>();

beforeAll(async () => {
  fixture = await startEvalFixture({
    ...Object.fromEntries(stageTable.map((row) => [modelOf(row), scriptOf(row.model)])),
    judge: judgeOf(stageTable),
  });
  stops.push(() => fixture.stop());
  const groups = [...new Set(stageTable.map(groupOf))].map((group) =>
    stageTable.filter((row) => groupOf(row) === group),
  );
  const needsOtherWorker = (rows: readonly StageRow[]) => rows[0]?.egressWorks === false;
  await playGroups(groups.filter((rows) => !needsOtherWorker(rows)));
  await fixture.restartWorker({ egressWorks: false });
  await playGroups(groups.filter(needsOtherWorker));
});
afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Returns the key of a row's group. A group shares one run, so its rows need equal settings. */
function groupOf(row: StageRow) {
  const { server, client, toolPolicy, egressWorks, trialTimeoutMs } = row;
  const shared = { server, client, toolPolicy, egressWorks, trialTimeoutMs };
  return JSON.stringify({ ...shared, isJudged: isJudged(row) });
}

async function playGroups(groups: readonly (readonly StageRow[])[]): Promise<void> {
  const launched: { readonly rows: readonly StageRow[]; readonly runId: string }[] = [];
  for (const rows of groups) launched.push({ rows, runId: await launchGroup(rows) });
  for (const { rows, runId } of launched) {
    await untilEnded(fixture.service, fixture.tenant, runId);
    if (rows[0] !== undefined && isJudged(rows[0])) await fixture.judged(runId);
    const run = await fixture.read(runId);
    for (const { name } of rows) ended.set(name, run);
  }
}

async function launchGroup(rows: readonly StageRow[]): Promise<string> {
  const [first] = rows;
  if (first === undefined) throw new Error('A group has no rows.');
  const server = await startStageServer(first.server);
  stops.unshift(() => server.stop());
  const suiteId = await fixture.suite({
    serverIds: [(await fixture.save(server.url)).id],
    model: `local/${modelOf(first)}`,
    settings: {
      ...(first.toolPolicy && { toolPolicy: first.toolPolicy }),
      ...(isJudged(first) && { judge: { enabled: true, autoRun: true, model: 'local/judge' } }),
    },
    cases: rows.map((row) => ({
      title: row.name,
      ...row.definition,
      models: [{ model: `local/${modelOf(row)}` }],
    })),
  });
  const namedHostId =
    first.client && (await fixture.client({ modelId: `local/${modelOf(first)}`, ...first.client }));
  const api = await apiOf(first);
  const body = { suiteId, ...(namedHostId && { namedHostId }) };
  return (await fixture.expect(202, api('POST', 'eval-runs', body))).runId;
}

/**
 * Returns the API of a service with the row's time limit for trials, since the launching service
 * sets that limit.
 */
async function apiOf({ trialTimeoutMs }: StageRow) {
  if (trialTimeoutMs === undefined) return fixture.ask;
  const runLimits = { ...defaultRunLimits, concurrentRuns: 1000, trialTimeoutMs };
  const api = await fixture.service.another({ models: fixture.models, runLimits });
  stops.unshift(() => api.stop());
  return projectCaller(api, fixture.tenant);
}

describe.each(stageTable.map((row) => [row.name, row] as const))('%s', (name, row) => {
  const { expected } = row;
  const found = () => {
    const run = ended.get(name);
    const trial = run?.trials.find(({ title }) => title === name);
    if (run === undefined || trial === undefined) throw new Error('The row was not run.');
    return { ...run, trial };
  };

  test('the trial says its status, result, stage, reason, category and evidence', () => {
    const { trial } = found();
    const failed = trial.stageResults.find(({ state }: { state: string }) => state === 'failed');
    expect(trial).toMatchObject({ status: expected.status, result: expected.result });
    expect({
      stage: trial.firstFailedStage,
      reason: failed?.reason,
      category: trial.failureCategory,
    }).toEqual({ stage: expected.stage, reason: expected.reason, category: expected.category });
    expect(failed?.stage).toBe(expected.stage);
    if (expected.evidence !== undefined) expect(failed.evidence).toEqual(expected.evidence);
    for (const [stage, reason] of Object.entries(expected.others ?? {})) {
      const other = trial.stageResults.find((one: { stage: string }) => one.stage === stage);
      expect([stage, other.reason]).toEqual([stage, reason]);
    }
  });

  test('the decision summary shows it, or leaves it out because it passed', () => {
    const { summary, trial, runId } = found();
    expectPublishedSummary(summary);
    expect(summary).toMatchObject({ verdictSource: 'policyV2', diagnostics: { complete: true } });
    const item = summary.diagnostics.items.find(({ title }: { title: string }) => title === name);
    expect(item === undefined).toBe(expected.result === 'passed');
    if (item === undefined) return;
    expect(item.status).toBe(expected.status);
    expect(item.result ?? null).toBe(expected.result);
    expect(item.chain).toMatchObject({ status: 'verified', stages: trial.stageResults });
    expect(item.chain.firstFailedStage).toBe(expected.stage);
    expect(item.chain.failureCategory).toBe(expected.category);
    const evidenceOfFailure = { status: expected.status, failure: trial.error ?? '' };
    expect(item.nextAction).toBe(nextAction(expected.category));
    expect(item.advice).toBe(trialAdvice(expected.category, trial.stageResults, evidenceOfFailure));
    const { spanIds, promptIndexes, predicateReasons } = expected.evidence ?? {};
    const shown = { runId, iterationId: trial.id };
    expect(item.evidence).toMatchObject({
      ...shown,
      ...(expected.stage && { stage: expected.stage }),
      ...(spanIds && { spanIds }),
      ...(promptIndexes && { promptIndexes }),
      ...(predicateReasons && { reasons: predicateReasons }),
    });
    expect(item.evidence.tracePath).toContain(`eval-runs/${runId}/iterations/${trial.id}/trace`);
  });

  test('what was expected stands beside what was observed', () => {
    const { summary, trial } = found();
    expect(namesOf(trial.expectedToolCalls)).toEqual(expectedNames(row));
    expect(namesOf(trial.actualToolCalls)).toEqual(calledNames(row));
    if (expected.error === undefined) {
      if (expected.result === 'passed') expect(trial.error).toBeNull();
    } else expect(trial.error).toContain(expected.error);
    const item = summary.diagnostics.items.find(({ title }: { title: string }) => title === name);
    if (item === undefined) return;
    expect(item.expected?.toolNames ?? []).toEqual(expectedNames(row));
    expect(item.observed?.toolNames ?? []).toEqual(calledNames(row));
    expect(item.observed?.failure ?? null).toBe(trial.error);
  });
});

test('no run of the table failed for a trial that was not measured', () => {
  for (const { summary, trials } of new Set(ended.values())) {
    const measured = trials.filter(({ status }) => status === 'completed');
    const verdict =
      measured.length < trials.length
        ? 'inconclusive'
        : measured.every(({ result }) => result === 'passed')
          ? 'passed'
          : 'failed';
    // Each case has one trial, so a lost trial leaves its case unmeasured.
    expect(summary.verdict).toBe(verdict);
  }
});

test('every row was played', () => {
  expect(ended.size).toBe(stageTable.length);
});

function namesOf(calls: readonly { toolName: string }[]): string[] {
  return calls.map(({ toolName }) => toolName);
}

function expectedNames({ definition }: StageRow): string[] {
  const asserted = definition.steps.flatMap((step) =>
    step.kind === 'assert' ? [step.assertion] : [],
  );
  return [...asserted, ...(definition.checks?.list ?? [])].flatMap((assertion) =>
    'type' in assertion && wantsCall(assertion) ? [assertion.toolName] : [],
  );
}

function wantsCall(assertion: Assertion): assertion is Extract<Assertion, { toolName: string }> {
  return assertion.type === 'toolCalledWith' || assertion.type === 'toolCalledAtLeastOnce';
}

function calledNames({ model }: StageRow): string[] {
  return model.flatMap((line) =>
    typeof line === 'string' ? [] : (line.calls ?? []).map(({ tool }) => tool),
  );
}
