/**
 * Puts a case variant into quarantine: it may then fail for a time without failing the gate. The
 * suite is locked first, so that concurrent requests cannot exceed the limit of the quarantine.
 */
import { holdsFor, invalid, quarantineProblem, type Refusal } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { insertQuarantine, listQuarantine } from '../../store/quarantine.ts';
import { findSuite } from './find-suite.ts';
import {
  caseNamed,
  isOverfull,
  mostOfSuite,
  type PresentedEntry,
  presentEntry,
  type QuarantinedSuite,
} from './quarantine-of-suite.ts';
import { readQuarantinedSuite } from './read-quarantined-suite.ts';

export const createEvalQuarantineEntry: Action<'createEvalQuarantineEntry'> = async (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { project, caller } = context;
    const found = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    const suite = await readQuarantinedSuite(sql, found);
    const { now } = suite;
    const problem = quarantineProblem(body, now.getTime());
    if (problem !== undefined) refuse(invalid(`body.${problem.path.join('.')}`, problem.message));
    const wanted = caseNamed(suite.cases, body.caseId) ?? refuse(unknownCase);
    const { model = null } = body;
    const entries = await listQuarantine(sql, found.id);
    const standing = entries.find(
      (one) =>
        one.expiresAt > now &&
        caseNamed(suite.cases, one.caseRef)?.id === wanted.id &&
        holdsFor({ caseId: wanted.id, model: one.model }, { caseId: wanted.id, model }),
    );
    if (standing !== undefined) refuse(inQuarantine(presentEntry(standing, suite)));
    if (isOverfull(entries, suite, wanted)) refuse(full(suite));
    const id = context.newId('quarantineEntry');
    const stated = {
      id,
      caseRef: body.caseId,
      model,
      owner: body.owner.trim(),
      reason: body.reason.trim(),
      source: 'api',
    } as const;
    const { caseRef: caseId, ...fields } = stated;
    const made = { organizationId: project.organizationId, suiteId: found.id, now };
    const { expiresAt } = body;
    await insertQuarantine(sql, { ...made, account: caller.account }, [
      { ...fields, caseId, expiresAt },
    ]);
    await recordAudit(sql, context, {
      action: 'quarantine.created',
      subjectId: id,
      details: { suiteId: found.id, caseId },
    });
    const entry = {
      ...stated,
      expiresAt: new Date(expiresAt),
      createdAt: now,
      createdByEmail: caller.account.email,
      removedAt: null,
    };
    return { status: 'created', entry: presentEntry(entry, suite) };
  });

const unknownCase = invalid(
  'body.caseId',
  'The suite has no case of this id; give the declared id of a case or its own id.',
);

function inQuarantine(entry: PresentedEntry): Refusal {
  return {
    code: 'CONFLICT',
    message:
      'This case variant is already in quarantine; lift that quarantine before you set another.',
    details: { entry },
  };
}

function full(suite: QuarantinedSuite): Refusal {
  return {
    code: 'CONFLICT',
    message: `The quarantine of this suite may hold at most ${mostOfSuite(suite)} of its ${suite.cases.length} cases; repair a case, or raise settings.quarantineShare.`,
    details: { reason: 'QUARANTINE_FULL' },
  };
}
