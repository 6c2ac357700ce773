/** Removes a quarantine entry. A repeated request changes nothing. */
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { findQuarantineEntry, removeQuarantineEntry } from '../../store/quarantine.ts';
import { findSuite } from './find-suite.ts';
import { presentEntry } from './quarantine-of-suite.ts';
import { readQuarantinedSuite } from './read-quarantined-suite.ts';

export const removeEvalQuarantineEntry: Action<'removeEvalQuarantineEntry'> = async (
  context,
  { params },
) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId);
    const found = (await findQuarantineEntry(sql, suite.id, params.entryId)) ?? refuse(notFound);
    if (found.source === 'file') refuse(inSuiteFile);
    const entry = presentEntry(found, await readQuarantinedSuite(sql, suite));
    const { id: accountId } = context.caller.account;
    const isRemoved = await removeQuarantineEntry(sql, suite.id, found.id, accountId);
    if (!isRemoved) return { status: 'already_removed', entry };
    await recordAudit(sql, context, {
      action: 'quarantine.removed',
      subjectId: found.id,
      details: { suiteId: suite.id, caseId: found.caseRef },
    });
    return { status: 'removed', entry };
  });

const inSuiteFile = {
  code: 'CONFLICT',
  message: 'This entry comes from the suite file; delete it there and import the file again.',
  details: { reason: 'IN_SUITE_FILE' },
} as const;
