/** What a write to a journey newly says: targets that are there, patterns that can be run, a model that is offered. */
import { type JourneyEdit, notFound, personaModelRefusal } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readServerAttachment } from '../../storage/servers/server-attachments.ts';
import { type ProjectContext, refuse, refuseIf } from '../action.ts';
import { refuseStatedPatterns } from '../eval-suites/refuse-patterns.ts';
import { modelsOf } from '../models/models-of.ts';
import { checkClients, checkEnvironments } from './check-targets.ts';

export async function checkJourney(
  sql: Sql,
  context: ProjectContext,
  edit: JourneyEdit,
): Promise<void> {
  const { id: projectId, organizationId } = context.project;
  const { serverAttachmentId, personaModel, rubric } = edit;
  refuseStatedPatterns(
    (rubric ?? []).flatMap(({ predicate }, index) =>
      'pattern' in predicate
        ? [{ path: `body.rubric[${index}].predicate.pattern`, pattern: predicate.pattern }]
        : [],
    ),
  );
  if (typeof personaModel === 'string') {
    const { models } = await modelsOf(sql, context, organizationId);
    refuseIf(personaModelRefusal(personaModel, models.offer));
  }
  await checkEnvironments(sql, projectId, edit.environmentIds);
  await checkClients(sql, projectId, edit.hostIds);
  if (typeof serverAttachmentId !== 'string') return;
  if (!(await readServerAttachment(sql, projectId, serverAttachmentId, 'forKeyShare')))
    refuse(notFound);
}
