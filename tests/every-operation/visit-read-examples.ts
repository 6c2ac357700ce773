import type { ActionOperationId } from '@proofmark/contract';
import { unique } from '@proofmark/harness/reporter.ts';
import { storeVisit } from '@proofmark/harness/stored-visits.ts';
import type { TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Maker } from './example-parts.ts';
import type { Reference } from './id-fields.ts';

const nothing: Maker = () => ({});

async function visit(service: TestService, tenant: Tenant): Promise<string> {
  return storeVisit(service, tenant, tenant);
}

async function window(service: TestService, tenant: Tenant): Promise<string> {
  const { sql } = service.owner;
  const id = unique('win_');
  await sql`
    insert into scenario_windows ${sql({
      id,
      organization_id: tenant.organizationId,
      project_id: tenant.projectId,
      scenario_id: tenant.scenarioId,
      input_hash: id,
      window_start_at: new Date(1),
      window_end_at: new Date(),
      result: JSON.stringify({
        coverage: {
          unit: 'sessions',
          analyzed: 1,
          total: 1,
          feedbackCount: 0,
          truncated: false,
          lowConfidence: false,
        },
        candidateCount: 0,
        candidates: [],
      }),
    })}`;
  return id;
}

async function finding(service: TestService, tenant: Tenant): Promise<string> {
  const { sql } = service.owner;
  const findingId = unique('fnd_');
  await sql`
    insert into scenario_findings ${sql({
      project_id: tenant.projectId,
      organization_id: tenant.organizationId,
      id: findingId,
      scenario_id: tenant.scenarioId,
      fingerprint: findingId,
      detector: 'tool_errors',
      subject_kind: 'tool',
      subject_id: 'x',
      subject_label: 'x',
      status: 'new',
      first_seen_at: new Date(1),
      last_seen_at: new Date(1),
      last_seen_window_id: 'win_1',
      occurrence_count: 1,
      title: 'x',
      next_action: 'x',
      counted_session_ids: '[]',
      evidence:
        '{"windowId":"win_1","affected":1,"sliceTotal":1,"exemplarSessionIds":[],"contrastSessionIds":[]}',
    })}`;
  return findingId;
}

export async function visitIdsOf(service: TestService, tenant: Tenant) {
  return {
    visitId: await visit(service, tenant),
    windowId: await window(service, tenant),
    scenarioFindingId: await finding(service, tenant),
  };
}

const ofVisit: Maker = async (service, tenant) => ({
  values: { sessionId: await visit(service, tenant) },
});

const ofFinding: Maker = async (service, tenant) => ({
  values: { findingId: await finding(service, tenant) },
});

const ofWindow: Maker = async (service, tenant) => ({
  values: { windowId: await window(service, tenant) },
});

/**
 * Inserts a requested window of user testing directly, since an organization may request only a few
 * per day.
 */
async function askedWindow(service: TestService, tenant: Tenant): Promise<string> {
  const windowId = await window(service, tenant);
  const { sql } = service.owner;
  await sql`
    insert into insights ${sql({
      kind: 'user_testing_window',
      scope_id: windowId,
      status: 'pending',
      generation: 1,
      organization_id: tenant.organizationId,
      project_id: tenant.projectId,
      requested_by: tenant.accountId,
      model_used: 'proofmark/narrator-1',
      requested_at: new Date(),
      beat_at: new Date(),
    })}`;
  return windowId;
}

export const visitReadExamples: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  listUserTestingSessions: nothing,
  getUserTestingSession: ofVisit,
  deleteUserTestingSession: ofVisit,
  createEvalCaseFromVisit: async (service, tenant) => ({
    ...(await ofVisit(service, tenant)),
    body: { suiteId: tenant.suiteId },
  }),
  getUserTestingMetrics: ofVisit,
  getUserTestingUsage: ofVisit,
  getUserTestingSignals: ofWindow,
  listUserTestingFindings: ofFinding,
  dismissUserTestingFinding: ofFinding,
  undismissUserTestingFinding: ofFinding,
  getUserTestingWindowInsights: async (service, tenant) => ({
    values: { windowId: await askedWindow(service, tenant) },
  }),
  requestUserTestingInsights: ofWindow,
  cancelUserTestingInsights: async (service, tenant) => ({
    body: { windowId: await askedWindow(service, tenant) },
  }),
};

export const visitReadReferences: Readonly<Record<string, Reference>> = {
  'createEvalCaseFromVisit suiteId': {
    id: (_service, tenant) => tenant.suiteId,
    body: (_service, _mine, suiteId) => ({ suiteId }),
  },
  'cancelUserTestingInsights windowId': {
    id: askedWindow,
    body: (_service, _mine, windowId) => ({ windowId }),
  },
};
