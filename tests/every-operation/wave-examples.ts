import type { ActionOperationId } from '@proofmark/contract';
import { criterionOf } from '@proofmark/harness/any-sessions.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { storeRun } from '@proofmark/harness/stored-wave.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Maker } from './example-parts.ts';

const nothing: Maker = () => ({});

async function wave(service: TestService, tenant: Tenant) {
  const waveId = unique('wav_');
  const rubric = [criterionOf('crt_1', { type: 'noToolErrors' })];
  const messages = [{ role: 'user', content: 'When do you open?' }];
  const stored = await storeRun(service, tenant, {
    waveId,
    snapshot: { rubric, journey: { id: tenant.journeyId, name: 'Buy' } },
    sessions: [{ messages, prompts: ['When do you open?'] }],
  });
  await service.owner.sql`
    update swarm_sessions set grading_status = 'completed', result = 'passed',
      criteria = '[{"criterionId":"crt_1","passed":true,"reason":"None failed."}]'
    where run_id = ${stored.runId}`;
  return { waveId, runId: stored.runId, sessionId: stored.sessionIds[0] as string };
}

export async function waveIdsOf(service: TestService, tenant: Tenant) {
  const { waveId, runId: journeyRunId, sessionId } = await wave(service, tenant);
  return { waveId, journeyRunId, sessionId, findingId: await finding(service, tenant) };
}

export const ofWave: Maker = async (service, tenant) => ({ values: await wave(service, tenant) });

const askedWave: Maker = async (service, tenant) => {
  const values = await wave(service, tenant);
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/waves/${values.waveId}/insights`;
  const { status, text } = await call(url, { method: 'POST', key: tenant.key });
  if (status !== 202) throw new Error(`No insights were asked for: ${text}`);
  return { values };
};

async function finding(service: TestService, { organizationId, projectId }: Tenant) {
  const { sql } = service.owner;
  const findingId = unique('fnd_');
  await sql`
    insert into findings ${sql({
      project_id: projectId,
      organization_id: organizationId,
      id: findingId,
      fingerprint: findingId,
      dimension: 'tool_errors',
      subject_kind: 'tool',
      subject_id: 'x',
      subject_label: 'x',
      status: 'new',
      occurrence_count: 1,
      first_seen_at: new Date(1),
      last_seen_at: new Date(1),
      last_seen_wave_id: 'w',
      title: 'x',
      journey_ids: '[]',
      next_action: 'x',
      evidence:
        '{"waveId":"w","affected":1,"sliceTotal":1,"exemplars":[],"contrastSessionIds":[],"targets":[],"patterns":[]}',
    })}`;
  return findingId;
}

const ofFinding: Maker = async (service, tenant) => ({
  values: { findingId: await finding(service, tenant) },
});

export const waveExamples: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  getSwarmOverview: nothing,
  getJourneyRunScorecard: ofWave,
  createEvalCaseFromSession: async (service, tenant) => ({
    ...(await ofWave(service, tenant)),
    body: { suiteId: tenant.suiteId },
  }),
  listSwarmFindings: nothing,
  dismissSwarmFinding: ofFinding,
  undismissSwarmFinding: ofFinding,
  getWave: ofWave,
  compareWaves: async (service, tenant) => {
    const values = await wave(service, tenant);
    return { values: { ...values, baseWaveId: values.waveId } };
  },
  getWaveInsights: askedWave,
  requestWaveInsights: ofWave,
  cancelWaveInsights: askedWave,
};
