/**
 * Grants a waiver for a run whose verdict is failed. The run is locked first, so that only one of
 * many concurrent requests creates the waiver and the others get it. The run itself does not
 * change.
 */
import {
  type EstablishedVerdict,
  establishVerdict,
  invalid,
  mayWaive,
  notFound,
  type Refusal,
  undecidedWords,
  waiverProblem,
} from '@proofmark/domain';
import { databaseNow } from '../../../../platform/database/database-now.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { asRunRecord, readRun, type StoredRun } from '../../store/eval-runs.ts';
import { findWaiverInForce, insertWaiver, type StoredWaiver } from '../../store/gate-waivers.ts';
import { presentGateWaiver } from './present-gate-waiver.ts';

export const createGateWaiver: Action<'createGateWaiver'> = async (context, { params, body }) => {
  const { caller, project } = context;
  return context.tenant(async (sql) => {
    const run = (await readRun(sql, project.id, params.runId, 'forUpdate')) ?? refuse(notFound);
    // The time is read after the lock, because the wait for the lock may have been long.
    const now = await databaseNow(sql);
    const problem = waiverProblem(body, now.getTime());
    if (problem !== undefined) refuse(invalid(`body.${problem.path}`, problem.message));
    const established = establishVerdict(asRunRecord(run));
    if (!mayWaive(verdictOf(established))) refuse(notFailed(established));
    const standing = await findWaiverInForce(sql, run.id);
    if (standing !== undefined) refuse(alreadyWaived(standing));
    const waiver = await insertWaiver(sql, project.organizationId, {
      id: context.newId('gateWaiver'),
      suiteId: run.suiteId,
      runId: run.id,
      reason: body.reason.trim(),
      policySnapshot: waivedThreshold(run, established),
      expiresAt: new Date(body.expiresAt),
      createdAt: now,
      createdBy: caller.account.id,
      createdByEmail: caller.account.email,
    });
    await recordAudit(sql, context, {
      action: 'gateWaiver.created',
      subjectId: waiver.id,
      details: { runId: run.id },
    });
    return { status: 'created', waiver: presentGateWaiver(waiver) };
  });
};

function verdictOf(established: EstablishedVerdict) {
  switch (established.verdictSource) {
    case 'policyV2':
      return established.decision.verdict;
    case 'legacy':
      return established.verdict;
    case 'none':
      return 'notEstablished';
  }
}

function notFailed(established: EstablishedVerdict): Refusal {
  const verdict = verdictOf(established);
  const found =
    established.verdictSource === 'none'
      ? `not established, as ${undecidedWords[established.undecided.reason]}`
      : verdict;
  return {
    code: 'CONFLICT',
    message: `The verdict of this run is ${found}; only a failed run can be waived.`,
    details: { reason: 'NOT_FAILED', verdict },
  };
}

function alreadyWaived(standing: StoredWaiver): Refusal {
  const waiver = presentGateWaiver(standing);
  return {
    code: 'CONFLICT',
    message: 'A waiver is already in force for this run; revoke it before you grant another.',
    details: { waiver },
    beside: { waiver },
  };
}

/**
 * Returns the percent threshold that a waiver of a legacy run overrides. Under policy v2, the
 * decision itself contains the threshold.
 */
function waivedThreshold(run: StoredRun, { verdictSource }: EstablishedVerdict) {
  if (verdictSource !== 'legacy') return null;
  const terms = run.snapshot.terms;
  const isPercent = terms !== undefined && 'minimumPassRate' in terms;
  return { minimumPassRate: isPercent ? terms.minimumPassRate : null };
}
