/** Creates scorer secrets of any project for the operator. */

import { replaceScorerSecret } from '../features/evals/store/scorer-secrets.ts';
import { type AuditActor, insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import { findNamedProject } from '../platform/accounts/store/projects.ts';
import type { Database } from '../platform/database/database.ts';
import { operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

export function operateScorerSecrets(owner: Database, actor: AuditActor) {
  const { organizationOf } = operatorSearch(owner);
  return {
    async rotateScorerSecret(
      organization: string,
      project: string,
    ): Promise<{ readonly projectId: string; readonly secret: string }> {
      const organizationId = await organizationOf(organization);
      return owner.transaction(async (sql) => {
        const found = await findNamedProject(sql, organizationId, project);
        const row = found && { id: found.id, organizationId };
        const made = row && (await replaceScorerSecret(sql, owner.vault, row));
        if (row === undefined || made === undefined) {
          throw new BadSetting(`${organization} has no project ${project}.`);
        }
        await insertAuditLine(sql, {
          ...actor,
          organizationId,
          projectId: row.id,
          subjectId: row.id,
          details: null,
          action: 'project.scorerSecretRotated',
        });
        return { projectId: row.id, secret: made.secret };
      });
    },
  };
}
