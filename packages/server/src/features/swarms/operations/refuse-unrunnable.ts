/**
 * Rejects parts of a journey that could not run: an unusable pattern, an unusable schema, or a
 * model that is not offered.
 */

import { type JourneyEdit, personaModelRefusal } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuseIf } from '../../../platform/operations/action.ts';
import { type EvalsProject, refuseStatedAssertions } from '../../evals/index.ts';
import { modelsOf } from '../../models/index.ts';

export async function refuseUnrunnable(
  sql: Sql,
  context: EvalsProject,
  { rubric, personaModel }: Pick<JourneyEdit, 'rubric' | 'personaModel'>,
): Promise<void> {
  refuseStatedAssertions(
    (rubric ?? []).map(({ predicate }, index) => ({
      path: `body.rubric[${index}].predicate`,
      assertion: predicate,
    })),
  );
  if (typeof personaModel !== 'string') return;
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  refuseIf(personaModelRefusal(personaModel, models.offer));
}
