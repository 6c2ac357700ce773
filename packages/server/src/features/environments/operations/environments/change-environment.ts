/**
 * The only code that changes an environment. Locks the row, computes the edit from the current
 * content, and writes the result with an audit line. If several requests expect the same revision,
 * only the first succeeds.
 */
import type { AuditAction, EnvironmentWrite, Refusal } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../../platform/operations/action.ts';
import { nameTaken } from '../../../../platform/operations/name-taken.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { type StoredEnvironment, storeEnvironment } from '../../store/environments.ts';
import { findEnvironment } from './find-environment.ts';
import { presentEnvironment } from './present-environment.ts';

type Decision = EnvironmentWrite<StoredEnvironment>;

export async function changeEnvironment(
  context: ProjectContext,
  environmentId: string,
  write: {
    readonly action: AuditAction;
    readonly fields?: readonly string[];
    readonly nameTaken?: Refusal;
  },
  decide: (current: StoredEnvironment, sql: Sql) => Decision | Promise<Decision>,
) {
  return context.tenant(async (sql) => {
    const current = await findEnvironment(sql, context.project.id, environmentId, 'forUpdate');
    const decision = await decide(current, sql);
    if ('refusal' in decision) return refuse(decision.refusal);
    const stored = await storeEnvironment(sql, decision.environment);
    if (stored === 'nameTaken') return refuse(write.nameTaken ?? nameTaken('environment'));
    await recordAudit(sql, context, {
      action: write.action,
      subjectId: stored.id,
      ...(write.fields && { details: { fields: write.fields } }),
    });
    return presentEnvironment(stored);
  });
}
